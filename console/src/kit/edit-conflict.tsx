import { Alert, AlertTitle, Box, Button, LinearProgress, Stack } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { type RaRecord, useDataProvider, useEditContext } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { changedFields, VERSION } from '../data-provider.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from './failed.tsx'
import { kitTexts } from './texts.ts'

/** Somebody else saved first: both versions side by side, and which one shall stand. Nothing typed is lost until the person says so. */
export function EditConflict({ labels, onSettled }: { labels: Readonly<Record<string, string>>; onSettled: () => void }) {
  const texts = useTexts(kitTexts).conflict
  const { resource, record, save, refetch } = useEditContext()
  const { getValues } = useFormContext()
  const dataProvider = useDataProvider()
  const [theirs, setTheirs] = useState<RaRecord>()
  const [fault, setFault] = useState<unknown>()
  const alert = useRef<HTMLDivElement>(null)
  const id = record?.id
  useEffect(() => {
    alert.current?.focus()
    dataProvider.getOne(resource, { id }).then(({ data }) => setTheirs(data), setFault)
  }, [dataProvider, resource, id])

  const mine = changedFields(getValues(), record)
  const rows = Object.keys(mine).filter((name) => theirs && JSON.stringify(theirs[name]) !== JSON.stringify(mine[name]))
  const keepMine = async () => {
    await save?.({ ...getValues(), [VERSION]: theirs?.[VERSION] })
  }
  const takeTheirs = async () => {
    await refetch()
    onSettled()
  }
  return (
    <Alert ref={alert} tabIndex={-1} severity="warning" sx={{ mb: 2, '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
      <AlertTitle>{texts.title}</AlertTitle>
      {texts.text}
      {fault !== undefined && <Failed error={fault} />}
      {theirs ? <Comparison rows={rows} labels={labels} theirs={theirs} mine={mine} /> : fault === undefined && <LinearProgress />}
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
        <Button variant="outlined" color="inherit" disabled={!theirs} onClick={() => void keepMine()}>
          {texts.keepMine}
        </Button>
        <Button color="inherit" disabled={!theirs} onClick={() => void takeTheirs()}>
          {texts.takeTheirs}
        </Button>
      </Stack>
    </Alert>
  )
}

interface ComparisonProps {
  rows: readonly string[]
  labels: Readonly<Record<string, string>>
  theirs: Record<string, unknown>
  mine: Record<string, unknown>
}

function Comparison({ rows, labels, theirs, mine }: ComparisonProps) {
  const texts = useTexts(kitTexts).conflict
  return rows.map((name) => (
    <Box key={name} component="dl" sx={{ m: 0, mt: 1, display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '12rem 1fr' }, columnGap: 2 }}>
      <Box component="dt" sx={{ gridColumn: '1 / -1', fontWeight: 600 }}>
        {labels[name] ?? name}
      </Box>
      <dt>{texts.theirs}</dt>
      <Box component="dd" sx={{ m: 0 }}>
        {asText(theirs[name])}
      </Box>
      <dt>{texts.yours}</dt>
      <Box component="dd" sx={{ m: 0 }}>
        {asText(mine[name])}
      </Box>
    </Box>
  ))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
