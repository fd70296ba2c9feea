import type { ReactNode } from 'react'
import type { Choosing } from './choosing.tsx'

export interface Column<Item> {
  label: string
  /** `false` where this row shows nothing, not even a dash. */
  value: (item: Item) => ReactNode
  /** Amounts stand below each other by their ends. */
  align?: 'right'
  /** The API's name of this order, where the list has it. */
  sortBy?: string
  /** Whether it is shown, by the filters that apply; always where nothing is said. */
  isFor?: (filters: Readonly<Record<string, unknown>>) => boolean
}

export interface RowsProps<Item> {
  label: string
  columns: ReadonlyArray<Column<Item>>
  pathOf?: (item: Item) => string | undefined
  empty?: ReactNode
  /** A list inside another page says in one line that it is empty. */
  isPart?: boolean
  choosing?: Choosing<Item>
}

/** The same, with the rows. */
export interface ShownRows<Item> extends RowsProps<Item> {
  items: readonly Item[]
}
