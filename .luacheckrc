-- Lessons and the Lua side of the API run in a sandbox: base, string, table, math, utf8 and require.
std = {
  read_globals = {
    "assert", "error", "getmetatable", "ipairs", "math", "next", "pairs", "pcall", "rawequal",
    "rawget", "rawlen", "rawset", "require", "select", "setmetatable", "string", "table",
    "tonumber", "tostring", "type", "utf8",
  },
}
max_line_length = 120
-- Tests run in plain Lua.
files["tests"] = { std = "lua54" }
-- Broken on purpose, or with what is expected written at the end of the line; printed by weft.
exclude_files = { "tests/lesson/bad/*.lua", "tests/lesson/good/*.lua", "lua-scripts/meta/*.lua" }
