import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A file of the built console, in each of its encodings. */
export interface ConsoleAsset {
  type: string
  etag: string
  /** For a browser without compression; the others as far as the build made them. */
  identity: Buffer
  br?: Buffer
  gzip?: Buffer
}

/** The built console in memory: exactly the files that may be requested. */
export interface ConsoleFiles {
  /** The only page, with the build's placeholders `NONCE` and `LANGUAGE`. */
  page: string
  assets: ReadonlyMap<string, ConsoleAsset>
}

export const NONCE = '__NONCE__'
export const LANGUAGE = '<html lang="pt-BR"'

const types = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
])

/** Reads the output of `npm run build`; `undefined` without one. Files of other kinds are ignored. */
export function readConsole(folder: string): ConsoleFiles | undefined {
  const page = readIfThere(path.join(folder, 'index.html'))
  if (!page) return undefined
  const names = readdirSync(path.join(folder, 'assets'))
  return {
    page: page.toString('utf8'),
    assets: new Map(
      names.flatMap((name) => {
        const type = types.get(path.extname(name))
        return type === undefined ? [] : [[name, readAsset(path.join(folder, 'assets', name), type)]]
      }),
    ),
  }
}

function readAsset(file: string, type: string): ConsoleAsset {
  const identity = readFileSync(file)
  const [br, gzip] = [readIfThere(`${file}.br`), readIfThere(`${file}.gz`)]
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  return { type, etag, identity, ...(br && { br }), ...(gzip && { gzip }) }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
