/* SPDX-License-Identifier: MIT */
/* Threads of Windows. */
#include "os_win.h"

#include <process.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "os_types_win.h has a pointer in its place");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(void *), "os_types_win.h has a pointer in its place");

static SRWLOCK *lock_of(mcpw_os_mutex *mutex) { return (SRWLOCK *)&mutex->lock; }

static CONDITION_VARIABLE *variable_of(mcpw_os_condition *condition) {
    return (CONDITION_VARIABLE *)&condition->variable;
}

bool mcpw_os_mutex_begin(mcpw_os_mutex *mutex) {
    InitializeSRWLock(lock_of(mutex));
    return true;
}

void mcpw_os_mutex_end(mcpw_os_mutex *mutex) { (void)mutex; }

void mcpw_os_lock(mcpw_os_mutex *mutex) { AcquireSRWLockExclusive(lock_of(mutex)); }

void mcpw_os_unlock(mcpw_os_mutex *mutex) { ReleaseSRWLockExclusive(lock_of(mutex)); }

bool mcpw_os_condition_begin(mcpw_os_condition *condition) {
    InitializeConditionVariable(variable_of(condition));
    return true;
}

void mcpw_os_condition_end(mcpw_os_condition *condition) { (void)condition; }

void mcpw_os_condition_wait(mcpw_os_condition *condition, mcpw_os_mutex *mutex) {
    (void)SleepConditionVariableSRW(variable_of(condition), lock_of(mutex), INFINITE, 0);
}

void mcpw_os_condition_wake_one(mcpw_os_condition *condition) {
    WakeConditionVariable(variable_of(condition));
}

void mcpw_os_condition_wake_all(mcpw_os_condition *condition) {
    WakeAllConditionVariable(variable_of(condition));
}

static unsigned __stdcall run_thread(void *argument) {
    const mcpw_os_thread *const thread = argument;
    thread->run(thread->user);
    return 0;
}

/* The stack of a thread, by the header of the executable: Microsoft's linker writes 1 MiB, mingw's 2 MiB. */
static size_t stack_of_program(void) {
    const unsigned char *const image = (const unsigned char *)GetModuleHandleW(NULL);
    const LONG at = ((const IMAGE_DOS_HEADER *)image)->e_lfanew;
    const IMAGE_OPTIONAL_HEADER *const header = &((const IMAGE_NT_HEADERS *)(image + at))->OptionalHeader;
    return header->Magic == IMAGE_NT_OPTIONAL_HDR_MAGIC ? (size_t)header->SizeOfStackReserve : 0;
}

int mcpw_os_thread_start(mcpw_os_thread *thread, void (*run)(void *user), void *user) {
    const unsigned stack =
        stack_of_program() < MCPW_OS_LEAST_STACK ? MCPW_OS_LEAST_STACK : 0; /* 0: by the header */
    thread->run = run;
    thread->user = user;
    thread->handle =
        (mcpw_handle)_beginthreadex(NULL, stack, run_thread, thread, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->handle != 0 ? 0 : ERROR_MAX_THRDS_REACHED;
}

void mcpw_os_thread_join(mcpw_os_thread *thread) {
    (void)WaitForSingleObject((HANDLE)thread->handle, INFINITE);
    mcpw_os_close(&thread->handle);
}
