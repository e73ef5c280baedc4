-- The Lua side under plain Lua: pattern matching against the original, tables, constructors.
-- Run by lua with lua-unit:  lua tests/lesson/unit.lua SOURCE_ROOT -o tap
-- luacheck: globals TestPatterns TestTables TestConstructors
local root = table.remove(arg, 1)
local lu = require "luaunit"

local raw = {
  byte = string.byte, sub = string.sub, unpack = table.unpack, concat = table.concat,
  tointeger = math.tointeger,
}
local function load_script(name, ...)
  return assert(loadfile(root .. "/lua-scripts/" .. name .. ".lua", "t"))(...)
end
local patterns = load_script("prelude/patterns", raw)
local tables = load_script("prelude/tables", raw)

local function pack(...) return { n = select("#", ...), ... } end

-- All results of f, or just { false } when it fails: the words of an error may differ.
local function outcome(f, ...)
  local results = pack(pcall(f, ...))
  return results[1] and results or { false, n = 1 }
end

local subjects = {
  "", "a", "hello world", "  trim  ", "k=v, a=b", "f(a(b)c)d", "THE (quick) fox", "aaa", "x^y", "[]]",
  "a.b-c", "%d 12 0x1F", "\0z\0", "THE END of", "abcabc", ("ab"):rep(20), "gr\xc3\xbcn",
}
local good_patterns = {
  "", "a", "^a", "a$", ".", "%a+", "%s*", "(%w+)=(%w+)", "%b()", "%f[%a]%a+", "()", "(a*(.)%w(%s*))", "[]]",
  "[^]]", "[a-c]+", "[%a_]-", "[a-]", "[-a]", "a-b", "a?b", "(.)%1", "^(.-)%s*$", "%S+", "[^%s]+",
  "(.-)(b+)", "%%d", "%x+", "%z", "[%z]", "x*", "(a)(b)", "$", "^$", "^", "%d+%s", "[^a-c]", "%.", "(()a)",
  "^^", "a$b", "%W", "%u%u", "[a-%a]", "%c", "%p+", "%g+", "%l", "%L", "%U", "%D+", "(a)%f[b]b",
}
local bad_patterns = { "%", "[a", "%b(", "%f", "(a", "%1", "[%", "(a)%2", "[^", "%bx", "(()" }

TestPatterns = {}

local function compare(name, ...)
  local want, got = outcome(string[name], ...), outcome(patterns[name], ...)
  lu.assertEquals(got, want, name .. lu.prettystr({ ... }))
end

function TestPatterns.testFindAndMatchAgreeWithTheOriginal()
  for _, subject in ipairs(subjects) do
    for _, pattern in ipairs(good_patterns) do
      for _, init in ipairs { 1, 2, -2, 0, 100, -100 } do
        compare("find", subject, pattern, init)
        compare("match", subject, pattern, init)
      end
      compare("find", subject, pattern, 1, true)
    end
  end
end

function TestPatterns.testGsubAgreesWithTheOriginal()
  local replacements = {
    "", "<%0>", "%1", "%2", "%%", "%", 7, { a = "X", hello = false }, function(_, b) return b end,
    function() return {} end,
  }
  for _, subject in ipairs(subjects) do
    for _, pattern in ipairs(good_patterns) do
      for _, replacement in ipairs(replacements) do
        for _, max in ipairs { 0, 1, 2, 1000 } do
          compare("gsub", subject, pattern, replacement, max)
        end
      end
    end
  end
end

function TestPatterns.testGmatchAgreesWithTheOriginal()
  local function all(gmatch, subject, pattern)
    local found = {}
    for a, b in gmatch(subject, pattern) do
      found[#found + 1] = tostring(a) .. "," .. tostring(b)
    end
    return table.concat(found, ";")
  end
  for _, subject in ipairs(subjects) do
    for _, pattern in ipairs(good_patterns) do
      lu.assertEquals(outcome(all, patterns.gmatch, subject, pattern),
        outcome(all, string.gmatch, subject, pattern), pattern .. " in " .. subject)
    end
  end
end

function TestPatterns.testMalformedPatternsFail()
  for _, pattern in ipairs(bad_patterns) do
    lu.assertFalse((pcall(patterns.find, "aab", pattern)), pattern)
    compare("find", "aab", pattern)
    compare("gsub", "aab", pattern, "<%1>")
  end
  lu.assertFalse((pcall(patterns.find, "a", ("()"):rep(33))))
  lu.assertFalse((pcall(patterns.find, {}, "a")))
  lu.assertFalse((pcall(patterns.find, "a")))
  lu.assertFalse((pcall(patterns.gsub, "a", "a", true)))
end

TestTables = {}

function TestTables.testSortIsStableAndSorts()
  local list = {}
  for i = 1, 500 do list[i] = { key = (i * 7919) % 10, at = i } end
  tables.sort(list, function(a, b) return a.key < b.key end)
  for i = 2, #list do
    local a, b = list[i - 1], list[i]
    lu.assertTrue(a.key < b.key or (a.key == b.key and a.at < b.at))
  end
  local words = { "b", "c", "a" }
  tables.sort(words)
  lu.assertEquals(words, { "a", "b", "c" })
  tables.sort({})
  lu.assertFalse((pcall(tables.sort, { 1, "a" })))
  lu.assertFalse((pcall(tables.sort, {}, 1)))
end

function TestTables.testMoveAgreesWithTheOriginal()
  for _, c in ipairs { { 1, 3, 2 }, { 2, 4, 1 }, { 1, 4, 1 }, { 3, 2, 1 }, { 1, 2, 10 }, { 1, 4, 3 } } do
    local a, b = { 1, 2, 3, 4 }, { 1, 2, 3, 4 }
    lu.assertEquals(tables.move(a, c[1], c[2], c[3]), table.move(b, c[1], c[2], c[3]))
    lu.assertEquals(tables.move({ 1, 2 }, 1, 2, 2, { 9 }), table.move({ 1, 2 }, 1, 2, 2, { 9 }))
  end
end

function TestTables.testInsertAndRemoveAgreeWithTheOriginal()
  local function both(name, make, ...)
    local a, b = make(), make()
    local want, got = outcome(table[name], b, ...), outcome(tables[name], a, ...)
    lu.assertEquals(got, want, name)
    lu.assertEquals(a, b, name)
  end
  local function some() return { 1, 2, 3 } end
  local function none() return {} end
  for _, make in ipairs { some, none } do
    both("insert", make, 9)
    for pos = -1, 5 do
      both("insert", make, pos, 9)
      both("remove", make, pos)
    end
    both("remove", make)
    both("insert", make)
    both("insert", make, 1, 2, 3)
    both("insert", make, "x", 2)
  end
end

TestConstructors = {}

local function constructors()
  local host = {
    kinds = {
      { name = "lesson", form = "table" }, { name = "say", form = "text" },
      { name = "claim", form = "claim" }, { name = "choice", form = "part" },
    },
    nearest = function() end,
    where = function() return "x.lua", 12 end,
  }
  return load_script("weft", "weft", host)
end

function TestConstructors.testTheyKeepWhatTheyWereGiven()
  local weft = constructors()
  lu.assertEquals(weft.say "hello",
    { weft = "say", file = "x.lua", line = 12, fields = { text = "hello" } })
  local fields, judge = { id = "x" }, function() end
  lu.assertIs(weft.lesson(fields).fields, fields)
  lu.assertIs(weft.claim("true", judge).fields.check, judge)
  lu.assertErrorMsgContains("write a plain table", function() return weft.choice end)
  lu.assertErrorMsgContains("there is no weft.sign", function() return weft.sign end)
end

function TestConstructors.testTheySayWhatToWrite()
  local weft = constructors()
  lu.assertErrorMsgContains("weft.say wants a text, not a number", weft.say, 12)
  lu.assertErrorMsgContains("weft.lesson wants a table, not a nil: write weft.lesson { ... }", weft.lesson)
  lu.assertErrorMsgContains("wants a function", weft.claim, "x")
end

os.exit(lu.LuaUnit.run())
