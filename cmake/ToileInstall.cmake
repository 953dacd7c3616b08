include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS toile EXPORT toileTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/toile DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/src/generated/toile/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/toile)
install(EXPORT toileTargets NAMESPACE toile:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/toile)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/toileConfig.cmake.in
        ${PROJECT_BINARY_DIR}/toileConfig.cmake
        INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/toile)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/toileConfigVersion.cmake
        COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/toileConfig.cmake ${PROJECT_BINARY_DIR}/toileConfigVersion.cmake
        ${PROJECT_SOURCE_DIR}/cmake/FindCHOLMOD.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/toile)
if(TOILE_BUILD_APPS)
    install(TARGETS toile_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
