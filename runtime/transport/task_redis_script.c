/* SPDX-License-Identifier: MIT */
/*
 * The scripts of the store of tasks. Each call is one run of one of them, so it is atomic. Keys, after the
 * prefix:
 *
 *     task:ID              an entry, a hash, which expires
 *     tasks:order:OWNER    ids of an owner by the time of creation, a sorted set
 *     tasks:expiry:OWNER   the same by the time at which they expire
 *     tasks:expiry         all ids by that time
 *     tasks:kept           for each id the bytes of its text, a space and its owner, a hash
 *     tasks:bytes          for each owner the bytes of all its texts, a hash; for * those of all owners
 *     tasks:log            replacements, a stream
 *     worker:WORKER        that it is alive, a text, which expires
 *     workers              all workers by their last heartbeat, a sorted set
 *
 * OWNER is - for none, or + and the principal. KEYS[1] is the prefix, ARGV[1] names the function, ARGV[2] is
 * an id. A script answers a word, or an array.
 */
#include "task_redis_internal.h"

/* Names, and what both scripts do. `forget` takes an id out of the indexes. */
#define COMMON                                                                                               \
    "local P,verb,id=KEYS[1],ARGV[1],ARGV[2] local call,number=redis.call,tonumber\n"                        \
    "local all,kept,bytes=P..'tasks:expiry',P..'tasks:kept',P..'tasks:bytes'\n"                              \
    "local entry=P..'task:'..id\n"                                                                           \
    "local function order(o) return P..'tasks:order:'..o end\n"                                              \
    "local function expiry(o) return P..'tasks:expiry:'..o end\n"                                            \
    "local function kind(k) return call('TYPE',k).ok end\n"                                                  \
    "local function is(k,want) local got=kind(k) return got=='none' or got==want end\n"                      \
    "local sane=is(all,'zset') and is(kept,'hash') and is(bytes,'hash')\n"                                   \
    "local function sum(o) return math.max(0,number(call('HGET',bytes,o) or 0) or 0) end\n"                  \
    "local function add(o,n) local s=sum(o)+n\n"                                                             \
    "if s>0 then call('HSET',bytes,o,string.format('%.0f',s)) else call('HDEL',bytes,o) end end\n"           \
    "local function forget(old)\n"                                                                           \
    "local len,o=string.match(call('HGET',kept,old) or '','^(%d+) (.*)$')\n"                                 \
    "call('HDEL',kept,old) call('ZREM',all,old)\n"                                                           \
    "if o then\n"                                                                                            \
    "if is(order(o),'zset') then call('ZREM',order(o),old) end\n"                                            \
    "if is(expiry(o),'zset') then call('ZREM',expiry(o),old) end\n"                                          \
    "add(o,-len) add('*',-len) end end\n"

/* create and replace. ARGV: 3 the owner, 4 the version, 5 the one before, 6 when the entry expires by the
 * clock of the process, 7 in how many ms that is, or nothing, 8 final, 9 the worker of the entry, 10 the
 * text, 11 most entries of the owner, 12 most bytes, 13 and 14 those of all owners, 15 the worker that calls,
 * 16 for how many ms it is alive, 17 most entries of the log.
 *
 * Entries that have expired are forgotten a few at a time; all of them, if there is no room otherwise. The
 * number of an entry of the log is one more than that of the last one, so that a reader detects gaps. */
static const char write_script[] = COMMON
    "local t=call('TIME') local now=t[1]*1000+math.floor(t[2]/1000)\n"
    "local function sweep(key,most)\n"
    "local old=call('ZRANGEBYSCORE',key,'-inf',string.format('(%.0f',now),'LIMIT',0,most)\n"
    "for _,one in ipairs(old) do forget(one) call('ZREM',key,one) end end\n"
    "if not sane then return 'BAD' end\n"
    "local owner,left,at=ARGV[3],number(ARGV[7]),nil local found=kind(entry)\n"
    "if verb=='create' then if found~='none' then return 'TWICE' end forget(id)\n"
    "else\n"
    "if found=='none' then return 'NONE' elseif found~='hash' then return 'BAD' end\n"
    "if call('HSTRLEN',entry,'owner')>8193 then return 'BAD' end\n"
    "local e=call('HMGET',entry,'owner','version','final','expires')\n"
    "if not(e[1] and string.find(e[1],'^[+-]') and e[2] and (e[3]=='0' or e[3]=='1')) then return 'BAD' end\n"
    "if e[3]=='1' or e[2]~=ARGV[5] then return 'STATE' end\n"
    "owner=e[1]\n"
    "if e[4]==ARGV[6] then local pttl=call('PTTL',entry) at=pttl>=0 and now+pttl or 'inf' end end\n"
    "if not(is(order(owner),'zset') and is(expiry(owner),'zset')) then return 'BAD' end\n"
    "at=at or left and now+math.max(1,left) or 'inf'\n"
    "sweep(all,200) sweep(expiry(owner),1000)\n"
    "local more=#ARGV[10]-(string.match(call('HGET',kept,id) or '','^(%d+) ') or 0)\n"
    "local function lacks()\n"
    "if verb=='create' and (call('ZCARD',order(owner))>=number(ARGV[11]) or\n"
    "call('ZCARD',all)>=number(ARGV[13])) then return 'FULL' end\n"
    "if more>0 and (sum(owner)+more>number(ARGV[12]) or sum('*')+more>number(ARGV[14])) then\n"
    "return 'LONG' end end\n"
    "if lacks() then sweep(all,-1) sweep(expiry(owner),-1) end\n"
    "local word=lacks() if word then return word end\n"
    "call('HSET',entry,'owner',owner,'version',ARGV[4],'expires',ARGV[6],'final',ARGV[8],'worker',ARGV[9],\n"
    "'text',ARGV[10])\n"
    "if at=='inf' then call('PERSIST',entry) else call('PEXPIREAT',entry,at) end\n"
    "call('ZADD',all,at,id) call('ZADD',expiry(owner),at,id)\n"
    "local newest=number(call('ZREVRANGE',order(owner),0,0,'WITHSCORES')[2] or 0)\n"
    "call('ZADD',order(owner),'NX',math.max(t[1]*1000000+t[2],newest+1),id)\n"
    "call('HSET',kept,id,#ARGV[10]..' '..owner) add(owner,more) add('*',more)\n"
    "if ARGV[9]==ARGV[15] then call('SET',P..'worker:'..ARGV[9],'1','PX',ARGV[16],'NX') end\n"
    "if verb=='replace' then local log=P..'tasks:log'\n"
    "if not is(log,'stream') then call('DEL',log) end\n"
    "local last=call('XREVRANGE',log,'+','-','COUNT',1)[1]\n"
    "local n=(last and number(last[2][2]) or 0)+1\n"
    "call('XADD',log,'MAXLEN','~',ARGV[17],'*','n',string.format('%.0f',n),'id',id,'by',ARGV[15]) end\n"
    "return 'OK'";

/* read, list and remove. ARGV[3] is the most bytes of a text. list begins after an id, or has none, and has
 * the owner as ARGV[4], and the most entries as ARGV[5]. It answers ids; entries that are gone are forgotten.
 */
static const char look_script[] =
    COMMON "local most=number(ARGV[3])\n"
           "if verb=='remove' then if sane then forget(id) end call('DEL',entry) return 'OK' end\n"
           "if verb=='read' then local found=kind(entry)\n"
           "if found=='none' then return 'NONE' elseif found~='hash' then return 'BAD' end\n"
           "if call('HSTRLEN',entry,'text')>most then return 'LONG' end\n"
           "for field,len in pairs({owner=8193,version=20,expires=20,final=1,worker=64}) do\n"
           "if call('HSTRLEN',entry,field)>len then return 'BAD' end end\n"
           "local e=call('HMGET',entry,'owner','version','expires','final','worker','text')\n"
           "local worker=e[5] or ''\n"
           "e[7]=(worker=='' or call('EXISTS',P..'worker:'..worker)==1) and '1' or '0' return e end\n"
           "local owner,count,at,ids,gone=order(ARGV[4]),number(ARGV[5]),0,{},{}\n"
           "if not is(owner,'zset') then return 'BAD' end\n"
           "if id~='' then at=call('ZREVRANK',owner,id)\n"
           "if not at or kind(entry)=='none' then return 'NONE' end at=at+1 end\n"
           "repeat local some=call('ZREVRANGE',owner,at,at+99)\n"
           "for _,one in ipairs(some) do if #ids>=count then break end\n"
           "local k=P..'task:'..one local found=kind(k)\n"
           "if found=='none' then gone[#gone+1]=one\n"
           "elseif found=='hash' and call('HSTRLEN',k,'text')<=most and\n"
           "call('HSTRLEN',k,'owner')==#ARGV[4] then ids[#ids+1]=one end end\n"
           "at=at+100 until #some==0 or #ids>=count\n"
           "for _,one in ipairs(gone) do if sane then forget(one) end call('ZREM',owner,one) end\n"
           "return ids";

const char *const mcpw_task_redis_scripts[TASK_SCRIPTS] = {write_script, look_script};
