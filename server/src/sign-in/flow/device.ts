/**
 * A browser in a few words for its owner, as `Chrome, Windows`. Unknown parts are left out, also names that are not in the list of
 * browsers: the user who signs in controls them, and could put text into the owner's warning about that sign-in. The first call loads the
 * list.
 */
export async function deviceLabel(userAgent: string): Promise<string> {
  if (userAgent === '') return ''
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(userAgent.slice(0, 400))
  const known = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])
  return [browser.name, os.name].filter((name) => name !== undefined && known.has(name)).join(', ')
}
