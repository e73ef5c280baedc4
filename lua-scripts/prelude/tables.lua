-- table.insert, move, remove and sort for lessons, written in Lua on raw lengths.
--
-- In C they loop where the instruction hook never fires, as long as a lying __len or a huge index
-- tells them to. Written here, every step counts against the lesson's budget. Sorting is a merge
-- sort: stable, at most n log2 n comparisons, and a comparator that contradicts itself does no harm.

local raw = ...
local rawlen, error, type, select = rawlen, error, type, select
local tointeger = raw.tointeger

local function a_table(t, what)
  if type(t) ~= "table" then
    error("bad argument #1 to '" .. what .. "' (table expected, got " .. type(t) .. ")", 3)
  end
end

local function an_index(i, n, what)
  local index = tointeger(i)
  if not index then
    error("bad argument #" .. n .. " to '" .. what .. "' (integer expected)", 3)
  end
  return index
end

local lib = {}

function lib.insert(t, ...)
  a_table(t, "insert")
  local e = rawlen(t) + 1
  local n = select("#", ...)
  if n == 1 then
    t[e] = (...)
    return
  elseif n ~= 2 then
    error("wrong number of arguments to 'insert'", 2)
  end
  local pos, value = ...
  pos = an_index(pos, 2, "insert")
  if pos < 1 or pos > e then
    error("bad argument #2 to 'insert' (position out of bounds)", 2)
  end
  for i = e, pos + 1, -1 do t[i] = t[i - 1] end
  t[pos] = value
end

function lib.remove(t, pos)
  a_table(t, "remove")
  local size = rawlen(t)
  if pos == nil then
    pos = size
  else
    pos = an_index(pos, 2, "remove")
    if size + 1 ~= pos and (pos < 1 or pos > size + 1) and not (size == 0 and pos == 0) then
      error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
  end
  local value = t[pos]
  while pos < size do
    t[pos] = t[pos + 1]
    pos = pos + 1
  end
  t[pos] = nil
  return value
end

function lib.move(from, f, e, t, to)
  a_table(from, "move")
  to = to == nil and from or to
  a_table(to, "move")
  f, e, t = an_index(f, 2, "move"), an_index(e, 3, "move"), an_index(t, 4, "move")
  if e < f then return to end
  if t > e or t <= f or to ~= from then
    for i = 0, e - f do to[t + i] = from[f + i] end
  else
    for i = e - f, 0, -1 do to[t + i] = from[f + i] end
  end
  return to
end

local function ascending(a, b) return a < b end

-- Sorts t[lo..hi], using `spare` for the merge.
local function merge_sort(t, spare, lo, hi, less)
  if lo >= hi then return end
  local mid = lo + (hi - lo) // 2
  merge_sort(t, spare, lo, mid, less)
  merge_sort(t, spare, mid + 1, hi, less)
  for i = lo, mid do spare[i] = t[i] end
  local left, right = lo, mid + 1
  for out = lo, hi do
    if left > mid then
      break -- the rest of the right half is in place
    elseif right > hi or not less(t[right], spare[left]) then
      t[out] = spare[left]
      left = left + 1
    else
      t[out] = t[right]
      right = right + 1
    end
  end
end

function lib.sort(t, less)
  a_table(t, "sort")
  if less ~= nil and type(less) ~= "function" then
    error("bad argument #2 to 'sort' (function expected, got " .. type(less) .. ")", 2)
  end
  merge_sort(t, {}, 1, rawlen(t), less or ascending)
end

return lib
