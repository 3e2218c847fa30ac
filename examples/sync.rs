//! Whether it works without a runtime: no thread, no task and no timer is needed.

use breaker::{Status, breakers, circuit_breaker};
use std::{io, net::TcpStream, thread::sleep, time::Duration};

breakers! {
    /// A cache that is not running.
    cache {
        strategy: Count { threshold: 3 },
        recover: BasicTimeout { reset_timeout: 200ms },
    }
}

/// Port 1 of the loopback: nobody listens there.
#[circuit_breaker(cache)]
fn connect() -> io::Result<TcpStream> {
    TcpStream::connect("127.0.0.1:1")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for _ in 0..5 {
        match connect() {
            Ok(_) => println!("connected"),
            Err(error) => println!("{:9} {error}", cache().status()),
        }
    }
    assert_eq!(breaker::status("cache")?, Status::Open);

    sleep(Duration::from_millis(250));
    assert_eq!(breaker::status("cache")?, Status::HalfOpen);
    println!("{}", breaker::snapshot("cache")?);
    Ok(())
}
