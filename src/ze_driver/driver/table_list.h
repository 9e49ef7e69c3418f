// Every table of function pointers that Level Zero has, with how it grew: {minor version, entries}.
// A table is only ever extended at its end, so that an API version says how many entries a loader
// of that version has room for.
//
// Needed because a loader passes a table as large as its own headers say: one entry too many
// overwrites its memory.
#pragma once

// TABLE(prefix, name, type, growth...)
#define ZE_DRIVER_CORE_TABLES(TABLE)                                                               \
  TABLE(ze, RTASBuilder, ze_rtas_builder_dditable_t, {13, 5})                                      \
  TABLE(ze, RTASBuilderExp, ze_rtas_builder_exp_dditable_t, {7, 4})                                \
  TABLE(ze, RTASParallelOperation, ze_rtas_parallel_operation_dditable_t, {13, 4})                 \
  TABLE(ze, RTASParallelOperationExp, ze_rtas_parallel_operation_exp_dditable_t, {7, 4})           \
  TABLE(ze, Global, ze_global_dditable_t, {0, 1}, {10, 2})                                         \
  TABLE(ze, Driver, ze_driver_dditable_t, {0, 5}, {1, 6}, {6, 7}, {13, 8}, {14, 9})                \
  TABLE(ze, DriverExp, ze_driver_exp_dditable_t, {7, 1})                                           \
  TABLE(ze, Device, ze_device_dditable_t, {0, 14}, {1, 15}, {2, 17}, {3, 18}, {7, 19}, {12, 21},   \
        {13, 22}, {14, 23}, {15, 24}, {16, 27}, {17, 28})                                          \
  TABLE(ze, DeviceExp, ze_device_exp_dditable_t, {4, 1})                                           \
  TABLE(ze, Context, ze_context_dditable_t, {0, 8}, {1, 9})                                        \
  TABLE(ze, CommandQueue, ze_command_queue_dditable_t, {0, 4}, {9, 6}, {17, 9})                    \
  TABLE(ze, CommandList, ze_command_list_dditable_t, {0, 26}, {3, 28}, {6, 29}, {9, 34}, {12, 36}, \
        {14, 38}, {16, 41}, {17, 52})                                                              \
  TABLE(ze, CommandListExp, ze_command_list_exp_dditable_t, {9, 6}, {10, 8}, {17, 9})              \
  TABLE(ze, Image, ze_image_dditable_t, {0, 3}, {3, 4}, {5, 5})                                    \
  TABLE(ze, ImageExp, ze_image_exp_dditable_t, {2, 2}, {9, 3})                                     \
  TABLE(ze, Mem, ze_mem_dditable_t, {0, 9}, {3, 10}, {6, 11}, {9, 12}, {15, 13})                   \
  TABLE(ze, MemExp, ze_mem_exp_dditable_t, {6, 2}, {7, 4})                                         \
  TABLE(ze, Fence, ze_fence_dditable_t, {0, 5})                                                    \
  TABLE(ze, EventPool, ze_event_pool_dditable_t, {0, 5}, {6, 6}, {9, 8})                           \
  TABLE(ze, Event, ze_event_dditable_t, {0, 7}, {6, 8}, {9, 11}, {15, 16}, {17, 17})               \
  TABLE(ze, EventExp, ze_event_exp_dditable_t, {2, 1})                                             \
  TABLE(ze, Module, ze_module_dditable_t, {0, 8}, {3, 9})                                          \
  TABLE(ze, ModuleBuildLog, ze_module_build_log_dditable_t, {0, 2})                                \
  TABLE(ze, Kernel, ze_kernel_dditable_t, {0, 12})                                                 \
  TABLE(ze, KernelExp, ze_kernel_exp_dditable_t, {1, 1}, {2, 2}, {11, 3}, {14, 4})                 \
  TABLE(ze, Sampler, ze_sampler_dditable_t, {0, 2})                                                \
  TABLE(ze, PhysicalMem, ze_physical_mem_dditable_t, {0, 2}, {15, 3})                              \
  TABLE(ze, VirtualMem, ze_virtual_mem_dditable_t, {0, 7})                                         \
  TABLE(ze, FabricVertexExp, ze_fabric_vertex_exp_dditable_t, {4, 4})                              \
  TABLE(ze, FabricEdgeExp, ze_fabric_edge_exp_dditable_t, {4, 3})                                  \
  TABLE(ze, Graph, ze_graph_dditable_t, {17, 7})                                                   \
  TABLE(ze, ExecutableGraph, ze_executable_graph_dditable_t, {17, 2})

#define ZE_DRIVER_TOOLS_TABLES(TABLE)                                                              \
  TABLE(zet, MetricProgrammableExp, zet_metric_programmable_exp_dditable_t, {9, 4})                \
  TABLE(zet, MetricTracerExp, zet_metric_tracer_exp_dditable_t, {10, 6})                           \
  TABLE(zet, MetricDecoderExp, zet_metric_decoder_exp_dditable_t, {10, 3})                         \
  TABLE(zet, Device, zet_device_dditable_t, {0, 1})                                                \
  TABLE(zet, DeviceExp, zet_device_exp_dditable_t, {10, 2}, {13, 4})                               \
  TABLE(zet, Context, zet_context_dditable_t, {0, 1})                                              \
  TABLE(zet, CommandList, zet_command_list_dditable_t, {0, 4})                                     \
  TABLE(zet, CommandListExp, zet_command_list_exp_dditable_t, {13, 1})                             \
  TABLE(zet, Module, zet_module_dditable_t, {0, 1})                                                \
  TABLE(zet, Kernel, zet_kernel_dditable_t, {0, 1})                                                \
  TABLE(zet, Metric, zet_metric_dditable_t, {0, 2})                                                \
  TABLE(zet, MetricExp, zet_metric_exp_dditable_t, {9, 2}, {11, 3})                                \
  TABLE(zet, MetricGroup, zet_metric_group_dditable_t, {0, 3})                                     \
  TABLE(zet, MetricGroupExp, zet_metric_group_exp_dditable_t, {2, 1}, {5, 2}, {6, 4}, {9, 9})      \
  TABLE(zet, MetricStreamer, zet_metric_streamer_dditable_t, {0, 3})                               \
  TABLE(zet, MetricQueryPool, zet_metric_query_pool_dditable_t, {0, 2})                            \
  TABLE(zet, MetricQuery, zet_metric_query_dditable_t, {0, 4})                                     \
  TABLE(zet, TracerExp, zet_tracer_exp_dditable_t, {0, 5})                                         \
  TABLE(zet, Debug, zet_debug_dditable_t, {0, 11}, {5, 12})

#define ZE_DRIVER_SYSMAN_TABLES(TABLE)                                                             \
  TABLE(zes, Global, zes_global_dditable_t, {5, 1})                                                \
  TABLE(zes, Device, zes_device_dditable_t, {0, 25}, {4, 29}, {5, 36}, {7, 37}, {15, 38})          \
  TABLE(zes, DeviceExp, zes_device_exp_dditable_t, {9, 2}, {10, 3})                                \
  TABLE(zes, Driver, zes_driver_dditable_t, {0, 1}, {1, 2}, {5, 3}, {8, 5})                        \
  TABLE(zes, DriverExp, zes_driver_exp_dditable_t, {9, 1})                                         \
  TABLE(zes, Overclock, zes_overclock_dditable_t, {5, 9})                                          \
  TABLE(zes, Scheduler, zes_scheduler_dditable_t, {0, 8})                                          \
  TABLE(zes, PerformanceFactor, zes_performance_factor_dditable_t, {0, 3})                         \
  TABLE(zes, Power, zes_power_dditable_t, {0, 8}, {16, 11})                                        \
  TABLE(zes, Frequency, zes_frequency_dditable_t, {0, 17})                                         \
  TABLE(zes, Engine, zes_engine_dditable_t, {0, 1}, {7, 3})                                        \
  TABLE(zes, Standby, zes_standby_dditable_t, {0, 3})                                              \
  TABLE(zes, Firmware, zes_firmware_dditable_t, {0, 2}, {8, 3}, {9, 4})                            \
  TABLE(zes, FirmwareExp, zes_firmware_exp_dditable_t, {9, 2})                                     \
  TABLE(zes, Memory, zes_memory_dditable_t, {0, 3})                                                \
  TABLE(zes, FabricPort, zes_fabric_port_dditable_t, {0, 6}, {7, 8})                               \
  TABLE(zes, Temperature, zes_temperature_dditable_t, {0, 4})                                      \
  TABLE(zes, Psu, zes_psu_dditable_t, {0, 2})                                                      \
  TABLE(zes, Fan, zes_fan_dditable_t, {0, 6})                                                      \
  TABLE(zes, Led, zes_led_dditable_t, {0, 4})                                                      \
  TABLE(zes, Ras, zes_ras_dditable_t, {0, 4})                                                      \
  TABLE(zes, RasExp, zes_ras_exp_dditable_t, {0, 2}, {16, 6})                                      \
  TABLE(zes, Diagnostics, zes_diagnostics_dditable_t, {0, 3})                                      \
  TABLE(zes, VFManagementExp, zes_vf_management_exp_dditable_t, {9, 5}, {10, 8}, {12, 9})

#define ZE_DRIVER_RUNTIME_TABLES(TABLE) TABLE(zer, Global, zer_global_dditable_t, {14, 4})
