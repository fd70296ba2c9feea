import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Configuration, hashOfFile, listImagePlaces, readCurrent, writeSettings, writtenAppearance } from '../../admin/index.ts'
import { appearanceStore } from '../../appearance/index.ts'
import type { AppContext } from '../../context.ts'
import type { Outcome } from '../command/output.ts'

export async function exportConfig({ storage }: AppContext, { images }: { images?: string }): Promise<Outcome> {
  const { configuration: current } = await storage.transaction((tx) => readCurrent(tx))
  const configuration = written(current)
  if (images !== undefined) await writeImages(configuration, images, storage)
  return { json: configuration, text: (await writeSettings(configuration, HEADING)).trimEnd() }
}

/** A look without any field is one line. */
function written({ portaria, appearance, products = {}, ...rest }: Configuration): Configuration {
  const ofProducts = Object.entries(products).map(([slug, product]) => [
    slug,
    { ...product, appearance: writtenAppearance(product.appearance) },
  ])
  return { portaria, appearance: writtenAppearance(appearance), products: Object.fromEntries(ofProducts), ...rest }
}

async function writeImages(configuration: Configuration, folder: string, { db }: AppContext['storage']): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [, { file }] of listImagePlaces(configuration)) {
    const image = await appearanceStore(db).findImage(hashOfFile(file) ?? '')
    if (image) await writeFile(path.join(folder, file), image.content)
  }
}

const HEADING = [
  'Settings of Portaria: `portaria diff FILE` compares, `portaria apply FILE` makes them so.',
  'What is not named stays as it is. A secret stands elsewhere: {env: NAME} or {file: PATH}.',
]
