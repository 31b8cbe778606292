// SPDX-License-Identifier: MIT
// A file server in C++17: the files of one directory as resources.
//
//     example_files_cpp DIRECTORY
//
// file:///today.txt is the file today.txt in the directory. A template with completion serves what is there
// at the time; a thread looks for changes, and tells clients of them. Hidden files, links and directories do
// not exist here.
#include <mcpw/mcpw.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace fs = std::filesystem;

using times = std::map<std::string, fs::file_time_type>; // of the last change, by name

static times look(const fs::path &directory) {
    times found;
    std::error_code error;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const fs::file_time_type time = at->last_write_time(error);
        if (!error && name.front() != '.' && at->is_regular_file(error) && !at->is_symlink(error)) {
            found.emplace(name, time);
        }
        error.clear();
    }
    return found;
}

// A name that was found is a file of the directory: none leads out of it.
static mcpw_status read_file(mcpw::request request, const fs::path &directory, std::string_view name) {
    if (look(directory).count(std::string(name)) == 0) {
        return request.resource_not_found();
    }
    std::ifstream file(directory / name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const bool is_text = fs::path(name).extension() == ".txt";
    return is_text ? request.resource_text(bytes, "text/plain") : request.resource_bytes(bytes);
}

// Looks for changes twice a second, on a thread of its own, while it lives.
class watcher {
  public:
    watcher(const mcpw::server &server, fs::path directory)
        : server_(server), directory_(std::move(directory)), before_(look(directory_)),
          thread_([this] { run(); }) {}
    ~watcher() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ends_ = true;
        }
        wakes_.notify_one();
        thread_.join();
    }
    watcher(const watcher &) = delete;
    watcher &operator=(const watcher &) = delete;

  private:
    void run() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!wakes_.wait_for(lock, std::chrono::milliseconds(500), [this] { return ends_; })) {
            const times now = look(directory_);
            for (const auto &[name, time] : now) {
                const auto old = before_.find(name);
                if (old != before_.end() && old->second != time) {
                    server_.resource_updated(("file:///" + name).c_str()); // from any thread
                }
            }
            before_ = now;
        }
    }

    const mcpw::server &server_;
    const fs::path directory_;
    times before_;
    std::mutex mutex_;
    std::condition_variable wakes_;
    bool ends_ = false;
    std::thread thread_;
};

static mcpw::result<void> offer(mcpw::server &server, const fs::path &directory) {
    mcpw_resource_template file{};
    file.uri_template = "file:///{name}";
    file.name = "file";
    auto status = server.resource_template(
        file,
        [directory](mcpw::request request, const mcpw_resource_read &read) {
            return read_file(request, directory, mcpw::variable(read, "name"));
        },
        [directory](mcpw::request, const mcpw_completion &about) {
            std::vector<std::string> names;
            for (const auto &entry : look(directory)) {
                if (entry.first.compare(0, about.value.len, mcpw::view(about.value)) == 0) {
                    names.push_back(entry.first);
                }
            }
            return names;
        });
    if (!status) {
        return status;
    }
    return server.tool("count", "Counts the files", mcpw_json{},
                       [directory](mcpw::request, const mcpw_tool_call &) {
                           return std::to_string(look(directory).size());
                       });
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: example_files_cpp DIRECTORY\n");
        return 2;
    }
    mcpw::server server("files", "1.0.0");
    auto status = offer(server, argv[1]);
    if (status) {
        const watcher watches(server, argv[1]);
        status = server.serve_stdio();
    }
    if (!status) {
        std::fprintf(stderr, "files: %s\n", status.error().message);
        return 1;
    }
    return 0;
}
