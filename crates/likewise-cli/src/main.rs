//! The `likewise` program; everything is in the crate's library.

fn main() -> std::process::ExitCode {
    likewise_cli::run(std::env::args_os()).into()
}
