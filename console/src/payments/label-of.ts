/** The word for something that the API names; its own name where a newer service knows more than this console. */
export function labelOf(labels: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? name) : name
}
