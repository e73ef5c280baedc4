-- Pattern matching for lessons: string.find, match, gmatch and gsub, written in Lua.
--
-- The matcher of the standard library runs in C, where the instruction hook never fires: a pattern
-- that backtracks ("(.-.-.-.-)b$" on a long line) would hold the whole program. Here every step is
-- Lua, so the lesson's budget bounds it. Patterns are those of the manual (section 6.4.1) in the C
-- locale: classes, sets, * + - ?, anchors, captures, %b, %f. Compared with the original, pattern
-- by pattern, by tests/lesson/unit.lua.
--
-- A match is tried by match(m, si, pi): `m` holds subject, pattern and captures; the result is the
-- index behind the match, or nil. Every repetition is a loop; only captures and single items
-- recurse, so the depth is that of the pattern, not that of the subject.

local raw = ...
local byte, sub = raw.byte, raw.sub
local error, type, tostring = error, type, tostring
local unpack = raw.unpack

local MAX_CAPTURES = 32
local POSITION, OPEN = -2, -1 -- lengths that mean something else

local ESC, DOT, DOLLAR, LP, RP, LB, RB, CARET, MINUS = 37, 46, 36, 40, 41, 91, 93, 94, 45
local STAR, PLUS, QUESTION, ZERO, NINE = 42, 43, 63, 48, 57
local LOWER_B, LOWER_F = 98, 102

local function between(c, a, b) return c >= a and c <= b end
local function lower(c) return between(c, 97, 122) end
local function upper(c) return between(c, 65, 90) end
local function digit(c) return between(c, 48, 57) end
local function graph(c) return between(c, 33, 126) end

-- The class letters of the manual, by their lower-case byte; an upper-case letter is the complement.
local classes = {
  [97] = function(c) return lower(c) or upper(c) end,                                        -- a
  [99] = function(c) return c < 32 or c == 127 end,                                          -- c
  [100] = digit,                                                                             -- d
  [103] = graph,                                                                             -- g
  [108] = lower,                                                                             -- l
  [112] = function(c) return graph(c) and not (lower(c) or upper(c) or digit(c)) end,        -- p
  [115] = function(c) return c == 32 or between(c, 9, 13) end,                               -- s
  [117] = upper,                                                                             -- u
  [119] = function(c) return lower(c) or upper(c) or digit(c) end,                           -- w
  [120] = function(c) return digit(c) or between(c, 97, 102) or between(c, 65, 70) end,      -- x
  [122] = function(c) return c == 0 end,                                                     -- z
}

local function in_class(c, letter)
  if upper(letter) then
    local test = classes[letter + 32]
    if test then return not test(c) end
  else
    local test = classes[letter]
    if test then return test(c) end
  end
  return c == letter
end

-- The index behind the single item (a character, a class or a set) that begins at pi.
local function item_end(m, pi)
  local pat = m.pat
  local c = byte(pat, pi)
  pi = pi + 1
  if c == ESC then
    if pi > m.plen then error("malformed pattern (ends with '%')", 0) end
    return pi + 1
  elseif c == LB then
    if byte(pat, pi) == CARET then pi = pi + 1 end
    repeat -- look for a ']'; the first character stands for itself
      if pi > m.plen then error("malformed pattern (missing ']')", 0) end
      local inside = byte(pat, pi)
      pi = pi + 1
      if inside == ESC then pi = pi + 1 end
    until byte(pat, pi) == RB
    return pi + 1
  end
  return pi
end

-- Whether c is in the set that begins with '[' at pi and ends with ']' at ep - 1.
local function in_set(m, c, pi, ep)
  local pat, found = m.pat, true
  local last = ep - 1
  pi = pi + 1
  if byte(pat, pi) == CARET then
    found = false
    pi = pi + 1
  end
  while pi < last do
    local p = byte(pat, pi)
    if p == ESC then
      if in_class(c, byte(pat, pi + 1)) then return found end
      pi = pi + 2
    elseif byte(pat, pi + 1) == MINUS and pi + 2 < last then
      if p <= c and c <= byte(pat, pi + 2) then return found end
      pi = pi + 3
    else
      if p == c then return found end
      pi = pi + 1
    end
  end
  return not found
end

-- Whether the single item pi..ep-1 matches the subject's byte at si.
local function single(m, si, pi, ep)
  local c = byte(m.s, si)
  if not c then return false end
  local p = byte(m.pat, pi)
  if p == DOT then return true end
  if p == ESC then return in_class(c, byte(m.pat, pi + 1)) end
  if p == LB then return in_set(m, c, pi, ep) end
  return p == c
end

local match -- below; the helpers and it call each other

local function balance(m, si, pi)
  if pi + 1 > m.plen then error("malformed pattern (missing arguments to '%b')", 0) end
  local open, close = byte(m.pat, pi, pi + 1)
  if byte(m.s, si) ~= open then return nil end
  local depth = 1
  for i = si + 1, m.slen do
    local c = byte(m.s, i)
    if c == close then
      depth = depth - 1
      if depth == 0 then return i + 1 end
    elseif c == open then
      depth = depth + 1
    end
  end
  return nil
end

local function max_expand(m, si, pi, ep)
  local i = 0
  while single(m, si + i, pi, ep) do i = i + 1 end
  while i >= 0 do
    local e = match(m, si + i, ep + 1)
    if e then return e end
    i = i - 1
  end
  return nil
end

local function min_expand(m, si, pi, ep)
  while true do
    local e = match(m, si, ep + 1)
    if e then return e end
    if not single(m, si, pi, ep) then return nil end
    si = si + 1
  end
end

local function start_capture(m, si, pi, what)
  if m.level >= MAX_CAPTURES then error("too many captures", 0) end
  m.level = m.level + 1
  m.from[m.level], m.size[m.level] = si, what
  local e = match(m, si, pi)
  if not e then m.level = m.level - 1 end
  return e
end

local function end_capture(m, si, pi)
  local open
  for l = m.level, 1, -1 do
    if m.size[l] == OPEN then
      open = l
      break
    end
  end
  if not open then error("invalid pattern capture", 0) end
  m.size[open] = si - m.from[open]
  local e = match(m, si, pi)
  if not e then m.size[open] = OPEN end
  return e
end

local function back_reference(m, si, digit_byte)
  local l = digit_byte - ZERO
  if l < 1 or l > m.level or m.size[l] == OPEN then
    error("invalid capture index %" .. l .. " in pattern", 0)
  end
  local size = m.size[l]
  if size == POSITION then size = 0 end
  if sub(m.s, m.from[l], m.from[l] + size - 1) == sub(m.s, si, si + size - 1) then
    return si + size
  end
  return nil
end

local function frontier(m, si, pi)
  if byte(m.pat, pi) ~= LB then error("missing '[' after '%f' in pattern", 0) end
  local ep = item_end(m, pi)
  local before = si > 1 and byte(m.s, si - 1) or 0
  if not in_set(m, before, pi, ep) and in_set(m, byte(m.s, si) or 0, pi, ep) then return ep end
  return nil
end

-- One item with its suffix. Returns (true, si, pi) to go on behind it, else (false, result).
local function item(m, si, pi)
  local ep = item_end(m, pi)
  local suffix = byte(m.pat, ep)
  if suffix == QUESTION then
    if single(m, si, pi, ep) then
      local e = match(m, si + 1, ep + 1)
      if e then return false, e end
    end
    return true, si, ep + 1
  elseif suffix == PLUS then
    return false, single(m, si, pi, ep) and max_expand(m, si + 1, pi, ep) or nil
  elseif suffix == STAR then
    return false, max_expand(m, si, pi, ep)
  elseif suffix == MINUS then
    return false, min_expand(m, si, pi, ep)
  elseif single(m, si, pi, ep) then
    return true, si + 1, ep
  end
  return false, nil
end

function match(m, si, pi)
  local pat, plen = m.pat, m.plen
  while pi <= plen do
    local c = byte(pat, pi)
    local after = byte(pat, pi + 1)
    if c == LP then
      if after == RP then return start_capture(m, si, pi + 2, POSITION) end
      return start_capture(m, si, pi + 1, OPEN)
    elseif c == RP then
      return end_capture(m, si, pi + 1)
    elseif c == DOLLAR and pi == plen then
      return si == m.slen + 1 and si or nil
    elseif c == ESC and after == LOWER_B then
      si = balance(m, si, pi + 2)
      if not si then return nil end
      pi = pi + 4
    elseif c == ESC and after == LOWER_F then
      pi = frontier(m, si, pi + 2)
      if not pi then return nil end
    elseif c == ESC and after and after >= ZERO and after <= NINE then
      si = back_reference(m, si, after)
      if not si then return nil end
      pi = pi + 2
    else
      local on
      on, si, pi = item(m, si, pi)
      if not on then return si end
    end
  end
  return si
end

local function capture(m, l, si, e)
  if l > m.level then
    if l ~= 1 then error("invalid capture index %" .. l, 0) end
    return sub(m.s, si, e - 1)
  end
  local size = m.size[l]
  if size == OPEN then error("unfinished capture", 0) end
  if size == POSITION then return m.from[l] end
  return sub(m.s, m.from[l], m.from[l] + size - 1)
end

-- All captures, or the whole match when there is none.
local function captures(m, si, e, whole)
  local n = m.level
  if n == 0 then
    if not whole then return end
    return sub(m.s, si, e - 1)
  end
  local list = {}
  for l = 1, n do list[l] = capture(m, l, si, e) end
  return unpack(list, 1, n)
end

local function text_of(value, n, what)
  if type(value) == "string" then return value end
  if type(value) == "number" then return tostring(value) end
  error("bad argument #" .. n .. " to '" .. what .. "' (string expected, got "
    .. (value == nil and "no value" or type(value)) .. ")", 3)
end

local function prepare(s, pat)
  return { s = s, slen = #s, pat = pat, plen = #pat, level = 0, from = {}, size = {} }
end

-- The first index to try, from an `init` argument.
local function first_index(init, len)
  init = init or 1
  if type(init) ~= "number" then error("bad argument #3 (number expected)", 3) end
  if init < 0 then init = len + init + 1 end
  if init < 1 then init = 1 end
  return init
end

local function plain_find(s, what, init)
  local n = #what
  for i = init, #s - n + 1 do
    if sub(s, i, i + n - 1) == what then return i, i + n - 1 end
  end
  return nil
end

local function search(s, pat, init, want_place)
  local m = prepare(s, pat)
  local pi, anchored = 1, false
  if byte(pat, 1) == CARET then pi, anchored = 2, true end
  for si = init, anchored and init or #s + 1 do
    m.level = 0
    local e = match(m, si, pi)
    if e then
      if want_place then return si, e - 1, captures(m, si, e, false) end
      return captures(m, si, e, true)
    end
  end
  return nil
end

local lib = {}

function lib.find(s, pat, init, plain)
  s, pat = text_of(s, 1, "find"), text_of(pat, 2, "find")
  init = first_index(init, #s)
  if init > #s + 1 then return nil end
  if plain then return plain_find(s, pat, init) end
  return search(s, pat, init, true)
end

function lib.match(s, pat, init)
  s, pat = text_of(s, 1, "match"), text_of(pat, 2, "match")
  init = first_index(init, #s)
  if init > #s + 1 then return nil end
  return search(s, pat, init, false)
end

function lib.gmatch(s, pat, init)
  s, pat = text_of(s, 1, "gmatch"), text_of(pat, 2, "gmatch")
  local m = prepare(s, pat)
  local si, last_end = first_index(init, #s), nil
  return function()
    while si <= m.slen + 1 do
      m.level = 0
      local e = match(m, si, 1)
      if e and e ~= last_end then
        local from = si
        si, last_end = e, e
        return captures(m, from, e, true)
      end
      si = si + 1
    end
    return nil
  end
end

-- The replacement string with %0 to %9 and %% filled in.
local function expand(m, repl, si, e)
  local out, n, i = {}, 0, 1
  while i <= #repl do
    local c = byte(repl, i)
    n = n + 1
    if c ~= ESC then
      out[n] = sub(repl, i, i)
    else
      i = i + 1
      local d = byte(repl, i)
      if d == ESC then
        out[n] = "%"
      elseif d == ZERO then
        out[n] = sub(m.s, si, e - 1)
      elseif d and d > ZERO and d <= NINE then
        out[n] = tostring(capture(m, d - ZERO, si, e))
      else
        error("invalid use of '%' in replacement string", 0)
      end
    end
    i = i + 1
  end
  return raw.concat(out)
end

local function replacement(m, repl, kind, si, e)
  local value
  if kind == "function" then
    value = repl(captures(m, si, e, true))
  elseif kind == "table" then
    value = repl[capture(m, 1, si, e)]
  else
    return expand(m, repl, si, e)
  end
  if not value then return sub(m.s, si, e - 1) end
  if type(value) ~= "string" and type(value) ~= "number" then
    error("invalid replacement value (a " .. type(value) .. ")", 0)
  end
  return tostring(value)
end

function lib.gsub(s, pat, repl, max)
  s, pat = text_of(s, 1, "gsub"), text_of(pat, 2, "gsub")
  local kind = type(repl)
  if kind == "number" then
    repl, kind = tostring(repl), "string"
  elseif kind ~= "string" and kind ~= "function" and kind ~= "table" then
    error("bad argument #3 to 'gsub' (string/function/table expected, got " .. kind .. ")", 2)
  end
  local m = prepare(s, pat)
  local pi, anchored = 1, false
  if byte(pat, 1) == CARET then pi, anchored = 2, true end
  local out, count, si, last_end = {}, 0, 1, nil
  max = max or #s + 1
  while count < max do
    m.level = 0
    local e = match(m, si, pi)
    if e and e ~= last_end then
      count = count + 1
      out[#out + 1] = replacement(m, repl, kind, si, e)
      si, last_end = e, e
    elseif si <= m.slen then
      out[#out + 1] = sub(s, si, si)
      si = si + 1
    else
      break
    end
    if anchored then break end
  end
  out[#out + 1] = sub(s, si)
  return raw.concat(out), count
end

return lib
