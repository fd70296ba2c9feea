import { LinearProgress } from '@mui/material'
import type { ReactNode } from 'react'
import { type RaRecord, ShowBase, useShowContext } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../failed.tsx'
import { PageHeading } from '../page-heading.tsx'
import { kitTexts } from '../texts.ts'

interface ShowPageProps<Item extends RaRecord> {
  /** The path of the list. */
  back: string
  title: (item: Item) => string
  actions?: (item: Item) => ReactNode
  children: (item: Item) => ReactNode
}

/**
 * Kept apart from the rows of lists: they have fewer fields, and react-admin would show those first. It is not read anew because the window
 * is looked at again: forms on the page would be filled anew while somebody types.
 */
const whole = { onError: () => undefined, refetchOnWindowFocus: false, meta: { whole: true } }

/** One record, read by the id in the address. */
export function ShowPage<Item extends RaRecord>(props: ShowPageProps<Item>) {
  return (
    <ShowBase<Item> queryOptions={whole}>
      <Shown {...props} />
    </ShowBase>
  )
}

function Shown<Item extends RaRecord>({ back, title, actions, children }: ShowPageProps<Item>) {
  const texts = useTexts(kitTexts)
  const { record, error, isPending, refetch } = useShowContext<Item>()
  if (record) {
    return (
      <>
        <PageHeading title={title(record)} back={back} actions={actions?.(record)} />
        {children(record)}
      </>
    )
  }
  return (
    <>
      <PageHeading title={isPending ? texts.loading : texts.failed} back={back} />
      {isPending ? <LinearProgress aria-label={texts.loading} /> : <Failed error={error} onRetry={refetch} />}
    </>
  )
}
