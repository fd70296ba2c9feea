import { parseUrl } from '../http/parse-url.ts'
import type { Settings } from '../settings.ts'

/** Longer ones would not fit into a cookie beside others. */
const MAX_LENGTH = 1024

/**
 * Where to go on in this app: path, query and fragment of an address of the app's own origin. Anything else is its front page: an address
 * given from outside must not lead away from the app (an open redirect), nor back into signing in or out. A page of an allowed origin is
 * answered whole. A path beside the path of the app is meant below it: frameworks know their paths without it.
 */
export function parseReturnTo(text: string | null, app: Pick<Settings, 'appOrigin' | 'appPath' | 'authPath' | 'allowedOrigins'>): string {
  const home = `${app.appPath}/`
  // Browsers read a backslash as a slash, and leave out control characters; what needs either is no address of ours.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (text === null || text.length > MAX_LENGTH || /[\\\u0000-\u001f\u007f]/.test(text)) return home
  const url = parseUrl(text, `${app.appOrigin}${home}`)
  if (url && app.allowedOrigins.some((origin) => url.href.startsWith(`${origin}/`)) && url.href.length <= MAX_LENGTH) return url.href
  // Not by its `origin`, which a `blob:` address borrows from the one within.
  if (!url?.href.startsWith(`${app.appOrigin}/`)) return home
  const above = `${url.pathname}/`.startsWith(`${app.appPath}/`) ? '' : app.appPath
  const target = above + url.pathname + url.search + url.hash
  // A path of two slashes would name a host once it stands alone.
  if (target.startsWith('//') || target.length > MAX_LENGTH || target.startsWith(`${app.authPath}/`)) return home
  return target
}
