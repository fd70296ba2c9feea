import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { type ConfigurationFile, MAX_FILE, readConfiguration, type SecretPlace, secretPlaces } from '../../admin/index.ts'
import type { Environment } from '../../config.ts'
import { visible } from '../command/output.ts'

const MAX_SECRET = 65_536

/** A file of settings as it was read from the disk. `absent`: its secrets that can't be had, each with the reason. */
export interface ReadFile extends ConfigurationFile {
  absent: ReadonlyMap<string, string>
}

/** Reads a file of settings and the secrets that it names. A fault of the file is a sentence for each of its lines. */
export async function readSettingsFile(file: string, environment: Environment): Promise<ReadFile | { misuse: string }> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) return { misuse: `${visible(file)} is no file that can be read` }
  if (found.size > MAX_FILE) return { misuse: `${visible(file)} is larger than 1 MB` }
  const configuration = readConfiguration(await readFile(file, 'utf8'))
  if ('faults' in configuration) {
    const lines = configuration.faults.map(({ line, says }) => visible(`${file}${line === undefined ? '' : `:${line}`}: ${says}`))
    return { misuse: lines.join('\nportaria: ') }
  }
  const secrets = new Map<string, string>()
  const absent = new Map<string, string>()
  for (const [field, place] of secretPlaces(configuration)) {
    const secret = await readSecret(place, { folder: path.dirname(file), environment })
    if ('text' in secret) secrets.set(field, secret.text)
    else absent.set(field, secret.why)
  }
  return { configuration, secrets, absent }
}

async function readSecret(
  place: SecretPlace,
  { folder, environment }: { folder: string; environment: Environment },
): Promise<{ text: string } | { why: string }> {
  if ('env' in place) {
    const text = environment[place.env]
    return text ? { text } : { why: `the environment variable ${place.env} is not set` }
  }
  const file = path.resolve(folder, place.file)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size > MAX_SECRET) return { why: `${visible(place.file)} is no file with a secret` }
  const text = (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  return text === '' ? { why: `${visible(place.file)} is empty` } : { text }
}
