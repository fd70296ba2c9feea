import type { Storage } from '../open.ts'
import { readShapes, type Shapes } from './shapes.ts'

/** The two databases of a copy: one is SQLite, the other PostgreSQL. The source has its fence, so nothing changes in it meanwhile. */
export interface Sides {
  source: Storage
  target: Storage
}

/** Called after each page, with the number of its rows. */
export type Step = (does: 'copy' | 'compare', table: string, rows: number) => void

export function shapesOf({ source, target }: Sides): Promise<Shapes> {
  return readShapes(source.address.dialect === 'sqlite' ? { sqlite: source, postgres: target } : { sqlite: target, postgres: source })
}
