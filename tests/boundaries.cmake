# cmake -DROOT=... -P boundaries.cmake: includes that would let a judge share code with the judged, or
# turn a dependency around. Each line: files below FOLDER may not include what begins with one of these.
set(rules
  "compiler/seatbelt/read: compiler/seatbelt/lower compiler/check compiler/syntax compiler/decide"
  "compiler/seatbelt/lower: compiler/seatbelt/read"
  "compiler/seatbelt/tables: compiler/ir compiler/check compiler/syntax compiler/decide compiler/seatbelt/read compiler/seatbelt/lower"
  "compiler/source: compiler/syntax compiler/check compiler/ir compiler/seatbelt compiler/decide"
  "compiler/ir: compiler/syntax compiler/check compiler/seatbelt/read compiler/seatbelt/lower compiler/decide"
  "grammar: compiler runtime"
  "compiler: runtime tests"
)

set(found "")
foreach(rule IN LISTS rules)
  string(REGEX MATCH "^([^:]*): (.*)$" matched "${rule}")
  set(folder ${CMAKE_MATCH_1})
  string(REPLACE " " "|" forbidden "${CMAKE_MATCH_2}")
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} includes REGEX "^ *# *include \"(${forbidden})/")
    foreach(include IN LISTS includes)
      string(APPEND found "\n  ${file}: ${include}")
    endforeach()
  endforeach()
endforeach()
if(found)
  message(FATAL_ERROR "includes across a boundary (docs/decisions/0001):${found}")
endif()
