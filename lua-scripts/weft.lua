-- weft: the words a lesson is written in.
--
--     local weft = require "weft"
--     return weft.lesson { ..., weft.scene "small", weft.say [[ ... ]], ... }
--
-- Every constructor keeps what it was given and the line it was called in; nothing happens yet. The
-- program checks the finished lesson against one table (src/lesson/api.h): names, types, units,
-- ranges. `host` comes from the program: where() is the place of the caller in the lesson, kinds
-- the names of the constructors and how they are called, nearest(name) the one that may be meant.

local _, host = ...
local error, ipairs, setmetatable, tostring, type = error, ipairs, setmetatable, tostring, type

local weft = {}

local function object(kind, fields)
  local file, line = host.where()
  return { weft = kind, file = file, line = line, fields = fields }
end

local function check(kind, value, want, example)
  if type(value) ~= want then
    error("weft." .. kind .. " wants a " .. (want == "string" and "text" or want) .. ", not a "
      .. type(value) .. ": write weft." .. kind .. example, 3)
  end
end

-- How a constructor is called, by its form.
local forms = {
  table = function(kind)
    return function(fields)
      check(kind, fields, "table", " { ... }")
      return object(kind, fields)
    end
  end,

  text = function(kind)
    return function(text)
      check(kind, text, "string", ' "..." or weft.' .. kind .. " [[ ... ]]")
      return object(kind, { text = text })
    end
  end,

  claim = function(kind)
    return function(text, judge)
      if type(text) == "table" and judge == nil then return object(kind, text) end
      check(kind, text, "string", '("...", function(r) return ... end)')
      check(kind, judge, "function", '("...", function(r) return ... end)')
      return object(kind, { text = text, check = judge })
    end
  end,
}

local parts = {} -- what is written as a plain table

for _, row in ipairs(host.kinds) do
  if forms[row.form] then
    weft[row.name] = forms[row.form](row.name)
  else
    parts[row.name] = true
  end
end

return setmetatable(weft, {
  __index = function(_, name)
    name = tostring(name)
    local near = host.nearest(name)
    error("there is no weft." .. name
      .. (parts[name] and ": write a plain table, { ... }" or near and "; did you mean weft." .. near .. "?"
        or "; `weft api` lists what there is"), 2)
  end,
})
