import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { InvalidArgumentError } from 'commander'
import { momentIn } from './local-time.ts'
import type { Streams } from './output.ts'

const MAX_SECRET_CHARACTERS = 65_536

/** A secret from standard input, without one newline at its end. At a terminal it is asked for, and not echoed. */
export async function readSecret(prompt: string, { stdin, stderr }: Streams): Promise<string> {
  if ('isTTY' in stdin && stdin.isTTY) return askUnseen(prompt, { stdin, stderr })
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_SECRET_CHARACTERS) break // too long for any secret; its check says so
  }
  return text.replace(/\r?\n$/, '')
}

async function askUnseen(prompt: string, { stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  stderr.write(`${prompt}: `)
  const { promise, resolve } = Promise.withResolvers<string>()
  lines.once('line', resolve).once('close', () => resolve(''))
  const answer = await promise
  lines.close()
  stderr.write('\n')
  return answer
}

/** Gathers an option that may be given several times. */
export function collect<T>(parse: (text: string) => T): (text: string, before: T[] | undefined) => T[] {
  return (text, before = []) => [...before, parse(text)]
}

/** An option's parser for one of a few words. */
export function oneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text)
    if (choice === undefined) throw new InvalidArgumentError(`Expected ${choices.join(', ')}.`)
    return choice
  }
}

/** An option's parser for whole numbers. */
export function wholeNumber({ least, most }: { least: number; most: number }): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`Expected a whole number, ${least} to ${most}.`)
    return value
  }
}

/** Runs a parser of the product's own as an option's parser. */
export function parsedBy<T>(parse: (text: string) => T | undefined, expects: string): (text: string) => T {
  return (text) => {
    const value = parse(text)
    if (value === undefined) throw new InvalidArgumentError(`Expected ${expects}.`)
    return value
  }
}

/** A moment (ms), once the zone is known in which it was meant. */
export type Since = (zone: string) => number

/** A date means its beginning. One without a zone, or a time without one, is of the operator's zone, as times are shown. */
export function parseSince(text: string): Since | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:\d\d)?)?$/i.exec(text)
  if (!match) return undefined
  const [, date = '', time = '00:00', named] = match
  if (Number.isNaN(Date.parse(`${date}T${time}${named ?? 'Z'}`))) return undefined
  return (zone) => (named === undefined ? momentIn(zone, `${date}T${time}`) : Date.parse(`${date}T${time}${named}`))
}
