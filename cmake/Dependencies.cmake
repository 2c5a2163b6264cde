# Everything comes from the system's packages; nothing is fetched. A missing one is named together
# with the package that brings it.
function(nd7_missing library debian homebrew)
  if(APPLE)
    set(remedy "${homebrew}")
  else()
    set(remedy "install the package ${debian} (Debian and Ubuntu), or run ./dev setup")
  endif()
  message(FATAL_ERROR "${library} was not found: ${remedy}.")
endfunction()

# nd7_require(PACKAGE LIBRARY DEBIAN HOMEBREW [find_package arguments ...])
macro(nd7_require package library debian homebrew)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    nd7_missing("${library}" "${debian}" "${homebrew}")
  endif()
endmacro()

nd7_require(pegtl "PEGTL 3.2" tao-pegtl-dev "brew install pegtl" CONFIG)
nd7_require(tomlplusplus "toml++" libtomlplusplus-dev "brew install tomlplusplus" CONFIG)
nd7_require(fmt "fmt" libfmt-dev "brew install fmt" CONFIG)
nd7_require(CLI11 "CLI11" libcli11-dev "brew install cli11" CONFIG)
nd7_require(nlohmann_json "nlohmann/json" nlohmann-json3-dev "brew install nlohmann-json" CONFIG)
find_package(Threads REQUIRED)

# PEGTL 4 renames half of what the grammars include.
if(pegtl_VERSION AND pegtl_VERSION VERSION_GREATER_EQUAL 4)
  message(FATAL_ERROR "PEGTL ${pegtl_VERSION} was found; nd7 is written for PEGTL 3.2.")
endif()

# Debian ships toml++ as a shared library only; its headers serve both static and dynamic builds.
add_library(nd7_tomlplusplus INTERFACE)
get_target_property(toml_include tomlplusplus::tomlplusplus INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(nd7_tomlplusplus SYSTEM INTERFACE ${toml_include})
target_compile_definitions(nd7_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)

# SHA-256: libmd, whose Debian package has a static archive; on macOS it is part of the system.
add_library(nd7_sha256_backend INTERFACE)
if(NOT APPLE)
  find_library(ND7_LIBMD md)
  find_path(ND7_LIBMD_INCLUDE sha2.h)
  mark_as_advanced(ND7_LIBMD ND7_LIBMD_INCLUDE)
  if(NOT ND7_LIBMD OR NOT ND7_LIBMD_INCLUDE)
    nd7_missing("libmd" libmd-dev "")
  endif()
  # By name: with -static the linker takes the archive, otherwise the shared library.
  target_link_libraries(nd7_sha256_backend INTERFACE md)
  if(NOT ND7_LIBMD_INCLUDE STREQUAL "/usr/include")
    target_include_directories(nd7_sha256_backend SYSTEM INTERFACE ${ND7_LIBMD_INCLUDE})
    get_filename_component(libmd_folder ${ND7_LIBMD} DIRECTORY)
    target_link_directories(nd7_sha256_backend INTERFACE ${libmd_folder})
  endif()
endif()

# The system-call filter of the Linux runtime: libseccomp knows the numbers of every architecture.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  find_library(ND7_LIBSECCOMP seccomp)
  find_path(ND7_LIBSECCOMP_INCLUDE seccomp.h)
  mark_as_advanced(ND7_LIBSECCOMP ND7_LIBSECCOMP_INCLUDE)
  if(NOT ND7_LIBSECCOMP OR NOT ND7_LIBSECCOMP_INCLUDE)
    nd7_missing("libseccomp" libseccomp-dev "")
  endif()
  add_library(nd7_seccomp_backend INTERFACE)
  target_link_libraries(nd7_seccomp_backend INTERFACE seccomp)
endif()

if(BUILD_TESTING AND PROJECT_IS_TOP_LEVEL)
  nd7_require(GTest "GoogleTest" "libgtest-dev and libgmock-dev" "brew install googletest")
  nd7_require(rapidcheck "RapidCheck" librapidcheck-dev
              "Homebrew has no formula; build it from its source with -DRC_ENABLE_GTEST=ON, install \
it to a prefix and name that in CMAKE_PREFIX_PATH (or configure with -DBUILD_TESTING=OFF)" CONFIG)
endif()
if(ND7_BENCH)
  nd7_require(benchmark "Google Benchmark" libbenchmark-dev "brew install google-benchmark")
endif()
