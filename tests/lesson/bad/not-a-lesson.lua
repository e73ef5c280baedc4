-->0 this file must end with return weft.lesson { ... }
return { api = 1 }
