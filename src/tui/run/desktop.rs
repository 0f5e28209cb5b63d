//! The clipboard of the desktop, in a thread: a server that does not answer must not freeze the program.
//!
//! The connection is opened on first use and kept, because on X11 and Wayland the text lives in the process that offers it.
//! While a request is unanswered the clipboard counts as silent, and later requests do not wait for it.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use zeroize::Zeroizing;

use super::clipboard::{NoClipboard, System};
use super::work::WORKER;

/// Maximum time that the screen may freeze for a clipboard. A working one answers within a few milliseconds.
const PATIENCE: Duration = Duration::from_millis(500);

enum Request {
    Open,
    Set(Zeroizing<String>),
}

/// The desktop's clipboard.
#[derive(Default)]
pub(super) struct Desktop(Option<Connection>);

struct Connection {
    requests: Sender<Request>,
    answers: Receiver<Result<(), String>>,
    /// Number of requests without an answer.
    n_open: usize,
}

impl System for Desktop {
    fn set(&mut self, text: &str) -> Result<(), NoClipboard> {
        self.ask(Request::Set(text.to_owned().into()))
    }

    fn open(&mut self) -> Result<(), NoClipboard> {
        self.ask(Request::Open)
    }
}

impl Desktop {
    fn ask(&mut self, request: Request) -> Result<(), NoClipboard> {
        let mut connection = match self.0.take() {
            Some(connection) => connection,
            None => Connection::start().ok_or(NoClipboard::Silent)?,
        };
        let answer = connection.ask(request);
        // A lost display may be back for the next copy.
        if !matches!(answer, Err(NoClipboard::None(_))) {
            self.0 = Some(connection);
        }
        answer
    }
}

/// When the program ends, the clipboard hands its text to a clipboard manager, if that is quick.
impl Drop for Desktop {
    fn drop(&mut self) {
        let Some(Connection {
            requests,
            answers,
            n_open: 0,
        }) = self.0.take()
        else {
            return;
        };
        drop(requests);
        // No answer will come: this waits for the thread to end.
        let _ = answers.recv_timeout(PATIENCE);
    }
}

impl Connection {
    fn start() -> Option<Self> {
        let (requests, inbox) = mpsc::channel();
        let (outbox, answers) = mpsc::channel();
        let serve = move || {
            let mut clipboard = None;
            for request in inbox {
                let answer = obey(&mut clipboard, &request);
                if outbox.send(answer.map_err(|it| it.to_string())).is_err() {
                    return;
                }
            }
            drop(clipboard);
            // Dropping the last sender only now ends the wait for this thread.
            drop(outbox);
        };
        let thread = thread::Builder::new().name(format!("{WORKER}copying"));
        thread.spawn(serve).ok()?;
        Some(Self {
            requests,
            answers,
            n_open: 0,
        })
    }

    fn ask(&mut self, request: Request) -> Result<(), NoClipboard> {
        // A late answer means that the server responds again.
        while self.n_open > 0 && self.answers.try_recv().is_ok() {
            self.n_open -= 1;
        }
        if self.n_open > 0 {
            return Err(NoClipboard::Silent);
        }
        let ended = |()| NoClipboard::None("the clipboard ended".to_owned());
        self.requests.send(request).map_err(|_| ended(()))?;
        match self.answers.recv_timeout(PATIENCE) {
            Ok(answer) => answer.map_err(NoClipboard::None),
            Err(RecvTimeoutError::Timeout) => {
                self.n_open = 1;
                Err(NoClipboard::Silent)
            }
            Err(RecvTimeoutError::Disconnected) => Err(ended(())),
        }
    }
}

fn obey(
    clipboard: &mut Option<arboard::Clipboard>,
    request: &Request,
) -> Result<(), arboard::Error> {
    let open = match clipboard {
        Some(open) => open,
        None => clipboard.insert(arboard::Clipboard::new()?),
    };
    match request {
        Request::Open => Ok(()),
        Request::Set(text) => open.set_text(text.as_str()),
    }
}
