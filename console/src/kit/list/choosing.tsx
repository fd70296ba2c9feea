import { Checkbox, FormControlLabel } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'

/** Rows of a list that are chosen for a common action. */
export interface Choosing<Item> {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  canChoose: (item: Item) => boolean
  /** The name of a row, for those who can't see where its box stands. */
  nameOf: (item: Item) => string
}

interface ChoosingOf<Item> {
  /** Where no rows stand below its column, its words do beside it. */
  isNamed?: boolean
  choosing: Choosing<Item>
  items: readonly Item[]
}

/** Chooses all rows of the page that can be chosen, or none. */
export function ChooseAll<Item extends { id: string | number }>({ choosing, items, isNamed = false }: ChoosingOf<Item>) {
  const texts = useTexts(kitTexts)
  const { chosen, onChange, canChoose } = choosing
  const ids = items.filter(canChoose).map(({ id }) => String(id))
  const count = ids.filter((id) => chosen.has(id)).length
  const box = (
    <Checkbox
      size="small"
      disabled={ids.length === 0}
      checked={ids.length > 0 && count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={() => onChange(new Set(count === ids.length ? [] : ids))}
      {...(!isNamed && { slotProps: { input: { 'aria-label': texts.chooseAll } } })}
    />
  )
  return isNamed ? <FormControlLabel control={box} label={texts.chooseAll} /> : box
}

export function ChooseOne<Item extends { id: string | number }>({ choosing, item }: { choosing: Choosing<Item>; item: Item }) {
  const texts = useTexts(kitTexts)
  const { chosen, onChange, canChoose, nameOf } = choosing
  const id = String(item.id)
  if (!canChoose(item)) return undefined
  const toggle = () => onChange(chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]))
  return (
    <Checkbox size="small" checked={chosen.has(id)} onChange={toggle} slotProps={{ input: { 'aria-label': texts.choose(nameOf(item)) } }} />
  )
}
