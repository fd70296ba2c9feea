import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A file of the built console, as it lies there in each encoding. */
export interface ConsoleAsset {
  type: string
  etag: string
  /** What a browser that takes no compression gets; the others as far as the build made them. */
  identity: Buffer
  br?: Buffer
  gzip?: Buffer
}

/** The built console in memory: everything that may be asked for, and nothing that is not in it. */
export interface ConsoleFiles {
  /** The one page, with `NONCE` and `LANGUAGE` as the build left them. */
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

/** Reads what `npm run build` has made; `undefined` when it has not. Files of other kinds are left where they are. */
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
