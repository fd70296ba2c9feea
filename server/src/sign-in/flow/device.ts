/**
 * A browser in a few words its owner would use, as `Chrome, Windows`. What can't be told is left out, and so is a name that is not in the
 * list of browsers: whoever signs in chooses it, and could put a text of their own into our warning of that very sign-in. The list is
 * loaded by the first call.
 */
export async function deviceWords(userAgent: string): Promise<string> {
  if (userAgent === '') return ''
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(userAgent.slice(0, 400))
  const known = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])
  return [browser.name, os.name].filter((word) => word !== undefined && known.has(word)).join(', ')
}
