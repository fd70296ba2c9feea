// The page at which a fresh proof for the console ends. Without this script the person goes back by themselves.
const channel = new BroadcastChannel('portaria-admin')
channel.postMessage('authenticated')
channel.close()
// A tab that nobody's script has opened stays: browsers would not close it.
if (window.opener) window.close()
