/** A browser in a few words its owner would use, as `Chrome, Windows`; what can't be told is left out. The list of browsers is loaded by the first call. */
export async function deviceWords(userAgent: string): Promise<string> {
  if (userAgent === '') return ''
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(userAgent.slice(0, 400))
  return [browser.name, os.name].filter((word) => word !== undefined && word !== '').join(', ')
}
