find_package(pegtl CONFIG REQUIRED)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(Threads REQUIRED)

# Debian ships toml++ as a shared library only; its headers serve both static and dynamic builds.
add_library(nd7_tomlplusplus INTERFACE)
get_target_property(toml_include tomlplusplus::tomlplusplus INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(nd7_tomlplusplus SYSTEM INTERFACE ${toml_include})
target_compile_definitions(nd7_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  find_package(GTest REQUIRED)
  find_package(rapidcheck CONFIG REQUIRED)
endif()
if(ND7_BENCH)
  find_package(benchmark REQUIRED)
endif()
