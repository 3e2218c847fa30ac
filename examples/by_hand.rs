//! How to guard what is neither a fn nor a future: ask for a permit, and settle it when you know what came of it.

use breaker::{Outcome, Status, breakers};

breakers! {
    /// The broker that takes our messages and confirms them later, on another thread.
    broker {
        strategy: Count { threshold: 2 },
        recover: BasicTimeout { reset_timeout: 1min },
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A permit of a declared breaker is `'static`: it goes where the answer comes in.
    let permit = broker().acquire()?;
    let confirmed = std::thread::spawn(move || permit.success());
    confirmed.join().map_err(|_| "the thread that confirms panicked")?;

    // A permit that is dropped young says nothing: the message was never sent.
    drop(broker().acquire()?);

    for _ in 0..2 {
        broker().acquire()?.settle(Outcome::failure().cause("no confirmation"));
    }
    assert_eq!(broker().status(), Status::Open);
    match broker().acquire() {
        Ok(_) => Err("an open breaker let a call through".into()),
        Err(rejected) => {
            println!("{rejected}");
            Ok(())
        }
    }
}
