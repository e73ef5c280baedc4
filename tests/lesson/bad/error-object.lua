error({ code = 1 }) --> (error object is a table)
