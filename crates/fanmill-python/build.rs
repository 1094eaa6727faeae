//! On macOS, a library that leaves Python's own symbols open has to say so to the linker.

fn main() {
    #[cfg(target_os = "macos")]
    pyo3_build_config::add_extension_module_link_args();
}
