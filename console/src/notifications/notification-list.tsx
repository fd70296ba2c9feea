import { Button } from '@mui/material'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ExportButton } from '../kit/list/export-button.tsx'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { Named } from '../kit/show/named.tsx'
import { Absent, Address, Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { useProducts } from '../payments/offers.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { canChoose } from './chosen/batch.ts'
import { ChosenBar } from './chosen/chosen-bar.tsx'
import { StatusTabs } from './chosen/status-tabs.tsx'
import { type Notification, notificationPath, notificationSources, notificationStatuses } from './notification.ts'
import { NotificationChip } from './notification-chip.tsx'
import { RunButton } from './runs/run-button.tsx'
import { RunPanel } from './runs/run-panel.tsx'
import { notificationTexts } from './texts.ts'
import { WhyShort } from './why.tsx'

/** The notifications about purchases and payments, the newest first. */
export function NotificationList() {
  const texts = useTexts(notificationTexts)
  const { sources, events } = useTexts(paymentTexts)
  const mayResolve = useMay('notifications:write')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const choosing = {
    chosen,
    onChange: setChosen,
    canChoose,
    nameOf: ({ event, subject, id }: Notification) => `${labelOf(events, event)}: ${subject ?? id}`,
  }
  return (
    <ListPage<Notification>
      title={texts.title}
      columns={[
        { label: texts.event, value: ({ event }) => <Named name={event} labels={events} /> },
        { label: texts.status, value: ({ status }) => <NotificationChip status={status} /> },
        { label: texts.why, value: (notification) => <WhyShort notification={notification} /> },
        { label: texts.subject, value: ({ subject }) => (subject === null ? <Absent /> : <Address text={subject} />) },
        { label: texts.source, value: ({ source }) => labelOf(sources, source) },
        { label: texts.receivedAt, value: ({ received_at }) => <Time at={received_at} />, sortBy: 'received_at' },
      ]}
      filters={useFilters()}
      sort={{ field: 'received_at', order: 'DESC' }}
      pathOf={({ id }) => notificationPath(id)}
      empty={texts.empty}
      actions={<Actions />}
      above={
        <>
          <RunPanel />
          <StatusTabs />
        </>
      }
      {...(mayResolve && { choosing, beforeRows: <ChosenBar chosen={chosen} onChange={setChosen} /> })}
    />
  )
}

function Actions() {
  const texts = useTexts(notificationTexts)
  const mayTest = useMay('webhooks:test')
  const mayResolve = useMay('notifications:write')
  return (
    <>
      <ExportButton />
      {mayResolve && <RunButton />}
      {mayTest && (
        <Button component={Link} to="/webhooks/test" variant="outlined">
          {texts.test}
        </Button>
      )}
    </>
  )
}

function useFilters(): readonly Filter[] {
  const texts = useTexts(notificationTexts)
  const { sources } = useTexts(paymentTexts)
  const products = useProducts()
  return [
    {
      name: 'status',
      label: texts.status,
      kind: 'choice',
      choices: notificationStatuses.map((status) => ({ value: status, label: texts.statuses[status] })),
    },
    // A link from the home sets it; nobody needs it beside the status.
    { name: 'stuck', label: texts.stuck, kind: 'choice', choices: [{ value: 'true', label: texts.isStuck }], needs: 'stuck' },
    {
      name: 'source',
      label: texts.source,
      kind: 'choice',
      choices: notificationSources.map((source) => ({ value: source, label: sources[source] })),
    },
    { name: 'product_id', label: texts.product, kind: 'choice', choices: products.map(({ id, name }) => ({ value: id, label: name })) },
    { name: 'email', label: texts.buyerFilter, kind: 'text' },
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
}
