/** The word for something that the API names; its own name where a newer service knows more than this console. */
export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name
}
