# nd7_component(NAME SOURCES ... [DEPENDS ...] [PRIVATE ...])
# A static library nd7_NAME. What it may include is what it links: dependencies point one way.
function(nd7_component name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_library(nd7_${name} STATIC ${arg_SOURCES})
  target_include_directories(nd7_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(nd7_${name} PUBLIC fmt::fmt-header-only ${arg_DEPENDS}
                                    PRIVATE ${arg_PRIVATE} nd7_warnings nd7_sanitize nd7_reproducible)
endfunction()

# nd7_program(NAME SOURCES ... LINK ...)
# An installed program NAME: static with ND7_STATIC, without unused code and symbols in a release.
function(nd7_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} nd7_version nd7_warnings nd7_sanitize
                                        nd7_reproducible)
  if(APPLE)
    target_link_options(${name} PRIVATE $<$<CONFIG:Release>:LINKER:-dead_strip,-S,-x>)
  else()
    target_link_options(${name} PRIVATE $<$<CONFIG:Release>:LINKER:--gc-sections,--strip-all>
                                        $<$<BOOL:${ND7_STATIC}>:-static>)
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# nd7_test(NAME SOURCES ... LINK ... [LOCK NAME])
# A GoogleTest program nd7_test_NAME; every case is a CTest test. Cases with the same lock run one
# after the other.
function(nd7_test name)
  cmake_parse_arguments(arg "" "LOCK" "SOURCES;LINK" ${ARGN})
  add_executable(nd7_test_${name} ${arg_SOURCES})
  target_include_directories(nd7_test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(nd7_test_${name} PRIVATE ${arg_LINK} rapidcheck rapidcheck_gtest GTest::gtest_main
                                                 Threads::Threads nd7_warnings nd7_sanitize)
  target_compile_definitions(nd7_test_${name} PRIVATE ND7_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(nd7_test_${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 1200 RESOURCE_LOCK "${arg_LOCK}")
endfunction()

# nd7_fuzz_target(NAME SOURCES ... LINK ...)
# fuzz/NAME.cpp as a libFuzzer program nd7_fuzz_NAME (ND7_FUZZ), and always as nd7_replay_NAME, which
# runs the committed corpus under CTest with any compiler.
function(nd7_fuzz_target name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(ND7_FUZZ)
    add_executable(nd7_fuzz_${name} ${arg_SOURCES})
    target_include_directories(nd7_fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(nd7_fuzz_${name} PRIVATE ${arg_LINK} nd7_warnings nd7_sanitize)
    target_link_options(nd7_fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
  if(BUILD_TESTING)
    add_executable(nd7_replay_${name} ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp)
    target_include_directories(nd7_replay_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(nd7_replay_${name} PRIVATE ${arg_LINK} nd7_warnings nd7_sanitize)
    add_test(NAME fuzz_replay.${name}
             COMMAND nd7_replay_${name} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
    set_tests_properties(fuzz_replay.${name} PROPERTIES TIMEOUT 1200)
  endif()
endfunction()

# nd7_bench(NAME SOURCES ... LINK ...)
# A Google Benchmark program nd7_bench_NAME; `./dev bench` runs them all.
function(nd7_bench name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(nd7_bench_${name} ${arg_SOURCES})
  target_include_directories(nd7_bench_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(nd7_bench_${name} PRIVATE ${arg_LINK} benchmark::benchmark_main nd7_warnings)
  target_compile_definitions(nd7_bench_${name} PRIVATE ND7_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()
