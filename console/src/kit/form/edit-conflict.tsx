import { Alert, AlertTitle, Box, Button, LinearProgress, Stack } from '@mui/material'
import { useEffect, useRef, useState } from 'react'
import { type RaRecord, setSubmissionErrors, useDataProvider, useEditContext, useLocale } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { useTimeZone } from '../../console-context.ts'
import { changedFields, VERSION } from '../../data-provider.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../failed.tsx'
import { type ValueKind, valueText } from '../show/value-text.ts'
import { kitTexts } from '../texts.ts'
import { LOOKS_DISABLED } from './looks-disabled.ts'

interface ConflictProps {
  /** The names of fields. */
  labels: Readonly<Record<string, string>>
  /** The kinds of fields whose value alone does not show it. */
  kinds?: Readonly<Record<string, ValueKind>> | undefined
  onSettled: () => void
}

/**
 * Another administrator saved first: shows both versions to choose from. No typed text is lost before the choice. It is good for one
 * conflict: after another one it is mounted anew.
 */
export function EditConflict({ labels, kinds = {}, onSettled }: ConflictProps) {
  const texts = useTexts(kitTexts).conflict
  const { resource, record, save, saving = false, refetch } = useEditContext()
  const { getValues, handleSubmit, setError } = useFormContext()
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
  const asText = useAsText(kinds)
  const rows = Object.keys(mine)
    .map((name) => ({ name, label: labels[name] ?? name, theirs: asText(name, theirs?.[name]), mine: asText(name, mine[name]) }))
    .filter((row) => row.theirs !== row.mine)
  const keepMine = handleSubmit(async (form) => {
    const errors = await save?.({ ...form, [VERSION]: theirs?.[VERSION] })
    if (errors) setSubmissionErrors(errors, setError)
  })
  const takeTheirs = async () => {
    setFault(undefined)
    const { error } = await refetch()
    if (error) setFault(error)
    else onSettled()
  }
  return (
    <Alert ref={alert} tabIndex={-1} severity="warning" sx={{ mb: 2, '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
      <AlertTitle>{texts.title}</AlertTitle>
      {texts.text}
      {fault !== undefined && <Failed error={fault} />}
      {theirs ? <Comparison rows={rows} /> : fault === undefined && <LinearProgress />}
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
        <Button
          variant="outlined"
          color="inherit"
          disabled={!theirs}
          aria-disabled={saving}
          onClick={() => !saving && void keepMine()}
          sx={LOOKS_DISABLED}
        >
          {texts.keepMine}
        </Button>
        <Button color="inherit" disabled={!theirs || saving} onClick={() => void takeTheirs()}>
          {texts.takeTheirs}
        </Button>
      </Stack>
    </Alert>
  )
}

/** A field's value in readable form. */
function useAsText(kinds: Readonly<Record<string, ValueKind>>): (name: string, value: unknown) => string {
  const labels = useTexts(kitTexts)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  return (name, value) => valueText(value, kinds[name], { labels, locale, zone })
}

interface Row {
  name: string
  label: string
  theirs: string
  mine: string
}

function Comparison({ rows }: { rows: readonly Row[] }) {
  const texts = useTexts(kitTexts).conflict
  return rows.map(({ name, label, theirs, mine }) => (
    <Box
      key={name}
      component="dl"
      sx={{ m: 0, mt: 1, display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '12rem 1fr' }, columnGap: 2, overflowWrap: 'anywhere' }}
    >
      <Box component="dt" sx={{ gridColumn: '1 / -1', fontWeight: 600 }}>
        {label}
      </Box>
      <dt>{texts.theirs}</dt>
      <Box component="dd" sx={{ m: 0 }}>
        {theirs}
      </Box>
      <dt>{texts.yours}</dt>
      <Box component="dd" sx={{ m: 0 }}>
        {mine}
      </Box>
    </Box>
  ))
}
