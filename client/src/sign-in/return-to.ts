import { parseUrl } from '../http/parse-url.ts'
import type { Settings } from '../settings.ts'

/** Longer ones would not fit into a cookie beside others. */
const MAX_LENGTH = 1024

/**
 * The target within this app: path, query and fragment of an address of the app's own origin. Any other becomes the front page: an address
 * from outside must not lead away from the app (an open redirect), nor back into the sign-in or sign-out. A page of an allowed origin keeps
 * its whole address. A path outside of the app's base path is taken below it: frameworks leave the base path out.
 */
export function parseReturnTo(
  text: string | null | undefined,
  app: Pick<Settings, 'appOrigin' | 'appPath' | 'authPath' | 'allowedOrigins'>,
): string {
  const home = `${app.appPath}/`
  // Browsers read a backslash as a slash, and drop control characters; an address with either is not ours.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (!text || text.length > MAX_LENGTH || /[\\\u0000-\u001f\u007f]/.test(text)) return home
  const url = parseUrl(text, `${app.appOrigin}${home}`)
  if (url && app.allowedOrigins.some((origin) => url.href.startsWith(`${origin}/`)) && url.href.length <= MAX_LENGTH) return url.href
  // Not by its `origin`, which a `blob:` address takes from the inner one.
  if (!url?.href.startsWith(`${app.appOrigin}/`)) return home
  const above = `${url.pathname}/`.startsWith(`${app.appPath}/`) ? '' : app.appPath
  const target = above + url.pathname + url.search + url.hash
  // A path with two slashes at its start would name a host.
  if (target.startsWith('//') || target.length > MAX_LENGTH || target.startsWith(`${app.authPath}/`)) return home
  return target
}
