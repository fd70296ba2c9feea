import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type Configuration,
  type ConfigurationFile,
  imageFile,
  listImagePlaces,
  MAX_FILE,
  readSettings,
  type SecretPlace,
  secretPlaces,
} from '../../admin/index.ts'
import { type BrandImage, MAX_IMAGE_BYTES, parseImage } from '../../appearance/index.ts'
import type { Environment } from '../../config.ts'
import { imageSentence } from '../appearance/appearance-view.ts'
import { findFile } from '../command/find-file.ts'
import { visible } from '../command/layout.ts'

const MAX_SECRET = 65_536

/** A file of settings as it was read from the disk. `absent`: its secrets and images that can't be had, each with the reason. */
export interface ReadFile extends ConfigurationFile {
  absent: ReadonlyMap<string, string>
}

/** Reads a file of settings, and the secrets and images that it names. A fault of the file is a sentence for each of its lines. */
export async function readSettingsFile(file: string, environment: Environment): Promise<ReadFile | { misuse: string }> {
  const found = await findFile(file)
  if ('why' in found) return { misuse: found.why }
  if (found.size > MAX_FILE) return { misuse: `${visible(file)} is larger than 1 MB` }
  const configuration = await readSettings(await readFile(file, 'utf8'))
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
  const images = await readImages(configuration, path.dirname(file))
  for (const [field, why] of images.absent) absent.set(field, why)
  return { configuration, secrets, images: images.found, absent }
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
  const found = await findFile(file, place.file)
  if ('why' in found) return found
  if (found.size > MAX_SECRET) return { why: `${visible(place.file)} is too long for a secret` }
  const text = (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  if (text === '') return { why: `${visible(place.file)} is empty` }
  // The system's own files (`/proc`) say that they are empty, and one of them is all of this process's variables.
  return text.length > MAX_SECRET || /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, ''))
    ? { why: `${visible(place.file)} is no secret` }
    : { text }
}

/** Reads the images beside the file, and names each by its hash in the settings: so they are compared by their content. */
async function readImages(configuration: Configuration, folder: string) {
  const found = new Map<string, BrandImage>()
  const absent = new Map<string, string>()
  for (const [field, place] of listImagePlaces(configuration)) {
    const read = await readImage(place.file, folder)
    if ('why' in read) absent.set(field, read.why)
    else found.set(read.hash, read)
    if ('hash' in read) place.file = imageFile(read)
    // A file that is there counts, even where an image is stored under its name.
    else if (read.isThere) place.file = `./${place.file}`
  }
  return { found, absent }
}

async function readImage(name: string, folder: string): Promise<BrandImage | { why: string; isThere: boolean }> {
  const file = path.resolve(folder, name)
  const found = await findFile(file, name)
  if ('why' in found) return { ...found, isThere: false }
  const image = found.size > MAX_IMAGE_BYTES ? { refusal: 'image_too_large' as const } : parseImage(await readFile(file))
  return 'refusal' in image ? { why: imageSentence(image, visible(name)), isThere: true } : image
}
