import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path/posix'

/** Lists the pages of a folder, as `operate/mail.md`; none without the folder, as in an installation without documents. */
export function listDocuments(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.md'))
      .sort()
  } catch {
    return []
  }
}

/**
 * A page for machines: the same text, without pictures. A link to another page stays; a link to a file of the repository, which the service
 * does not serve, becomes plain text.
 */
export function readDocument(folder: string, name: string, served: ReadonlySet<string>): string {
  const text = readFileSync(path.join(folder, name), 'utf8')
  // Every second part is code.
  return text
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 1 ? part : withoutPictures(part).replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, link)))
    .join('')

  function link(whole: string, linked: string, target: string): string {
    if (/^(https?:|mailto:|#)/.test(target)) return whole
    const [file = ''] = target.split('#')
    return served.has(path.join(path.dirname(name), file)) ? whole : linked
  }
}

/** Whether the list names a page. The decisions have an index of their own. */
export function isListed(name: string): boolean {
  return !/^decisions\/\d/.test(name)
}

/** The description for machines (llmstxt.org): every page with its title and first sentence, those for apps and operators first. */
export function describeDocuments(pages: ReadonlyMap<string, string>): string {
  const rest = [...pages.keys()].filter((name) => !sections.some(([, names]) => names.includes(name)))
  const listed: [string, string[]][] = [...sections, ['Optional', rest]]
  const parts = listed.flatMap(([title, names]) => {
    const lines = names.flatMap((name) => describe(name, pages.get(name)))
    return lines.length > 0 ? [`## ${title}\n\n${lines.join('\n')}\n`] : []
  })
  const api = '## API\n\n- [OpenAPI 3.1](/openapi.json): every operation of the HTTP API\n'
  return `${HEAD}\n${[parts[0], api, ...parts.slice(1)].join('\n')}`
}

const HEAD = `# Portaria

> The front door for a family of apps, and the place that knows who has paid: users sign in once, and every app knows them. It issues sessions and tokens, takes
> notifications of purchases and of payment gateways, and answers whether a user may use a product.
`

const sections: [title: string, names: string[]][] = [
  [
    'Integrating an app',
    [
      'integrate.md',
      'frameworks.md',
      'integrate-by-hand.md',
      'openid.md',
      'forward-auth.md',
      'purchases.md',
      'events.md',
      'pt-br/integrar.md',
    ],
  ],
  [
    'Operating Portaria',
    [
      'operate.md',
      ...['install', 'configure', 'mail', 'identity-providers', 'gateways', 'payments', 'support', 'command-line'].map(
        (name) => `operate/${name}.md`,
      ),
      ...['backup', 'scale', 'watch', 'moving-in', 'move-database', 'settings-in-git', 'upgrade', 'troubleshoot'].map(
        (name) => `operate/${name}.md`,
      ),
      'console.md',
    ],
  ],
]

function describe(name: string, text: string | undefined): string[] {
  if (text === undefined) return []
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const [, paragraph = ''] = /^# .+\n+([^#|`<\n-][\s\S]*?)(?:\n\n|$)/.exec(text) ?? []
  const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(paragraph) ?? []
  const plain = sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  return [`- [${title}](/docs/${name})${plain === '' ? '' : `: ${plain.replace(/[.:]$/, '')}`}`]
}

function withoutPictures(text: string): string {
  return text.replaceAll(/<picture>[\s\S]*?<\/picture>\n*/g, '').replaceAll(/!\[[^\]]*\]\([^)]*\)\n*/g, '')
}
