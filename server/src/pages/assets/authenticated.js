// The page at which a recent authentication for the console ends. Without this script the user goes back by themselves.
const channel = new BroadcastChannel('portaria-admin')
channel.postMessage('authenticated')
channel.close()
// A tab that nobody's script has opened stays: browsers would not close it.
if (window.opener) window.close()
