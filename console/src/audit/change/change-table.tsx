import { Box, Button, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, Typography, useMediaQuery } from '@mui/material'
import type { Theme } from '@mui/material/styles'
import { useId, useState } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { EmptyLine } from '../../kit/show/empty-line.tsx'
import { Section } from '../../kit/show/section.tsx'
import { hidden } from '../../kit/show/values.tsx'
import type { AuditEntry } from '../audit-entry.ts'
import { auditTexts } from '../texts.ts'
import { type ChangeRow, changeRows } from './change-rows.ts'
import { fieldLabels } from './field-labels.ts'
import { FieldValue } from './field-value.tsx'

/** The changes of an action: field, before, after. Fields that it left as they were are shown on request. */
export function ChangeSection({ entry: { before, after } }: { entry: Pick<AuditEntry, 'before' | 'after'> }) {
  const texts = useTexts(auditTexts)
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('sm'), { noSsr: true })
  const [isWhole, setWhole] = useState(false)
  const id = useId()
  const rows = changeRows(before, after)
  const unchanged = rows.filter(({ isChanged }) => !isChanged)
  const shown = isWhole ? [...rows.filter(({ isChanged }) => isChanged), ...unchanged] : rows.filter(({ isChanged }) => isChanged)
  const toggle = unchanged.length > 0 && (
    <Button size="small" aria-expanded={isWhole} aria-controls={id} onClick={() => setWhole(!isWhole)}>
      {isWhole ? texts.hideUnchanged : texts.showUnchanged(unchanged.length)}
    </Button>
  )
  return (
    <Section title={texts.change} actions={toggle}>
      {shown.length === 0 && <EmptyLine>{texts.noChange}</EmptyLine>}
      <Box id={id}>{shown.length > 0 && (isWide ? <ChangeTable rows={shown} /> : <ChangeBlocks rows={shown} />)}</Box>
    </Section>
  )
}

function ChangeTable({ rows }: { rows: readonly ChangeRow[] }) {
  const texts = useTexts(auditTexts)
  return (
    <TableContainer>
      <Table size="small" sx={{ tableLayout: 'fixed', '& td, & th': { verticalAlign: 'top', overflowWrap: 'anywhere' } }}>
        <Box component="caption" sx={hidden}>
          {texts.change}
        </Box>
        <TableHead>
          <TableRow>
            <TableCell sx={{ width: '28%' }}>{texts.field}</TableCell>
            <TableCell>{texts.before}</TableCell>
            <TableCell>{texts.after}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ names, before, after, isChanged }) => (
            <TableRow key={names.join('.')}>
              <TableCell component="th" scope="row">
                <FieldName names={names} />
              </TableCell>
              <TableCell sx={{ color: 'text.secondary' }}>
                <FieldValue name={names.at(-1) ?? ''} value={before} />
              </TableCell>
              <TableCell sx={isChanged ? { fontWeight: 550 } : { color: 'text.secondary' }}>
                <FieldValue name={names.at(-1) ?? ''} value={after} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** The same on a phone, where three columns have no room. */
function ChangeBlocks({ rows }: { rows: readonly ChangeRow[] }) {
  const texts = useTexts(auditTexts)
  return rows.map(({ names, before, after }) => (
    <Box key={names.join('.')} sx={{ py: 1, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}>
      <Typography component="h3" variant="body2" sx={{ fontWeight: 600 }}>
        <FieldName names={names} />
      </Typography>
      <Box component="dl" sx={{ m: 0, mt: 0.5, display: 'grid', gridTemplateColumns: '4.5rem minmax(0, 1fr)', columnGap: 2, rowGap: 0.25 }}>
        {([before, after] as const).map((value, i) => (
          <Box key={i === 0 ? 'before' : 'after'} sx={{ display: 'contents' }}>
            <Typography component="dt" variant="body2" color="textSecondary">
              {i === 0 ? texts.before : texts.after}
            </Typography>
            <Typography component="dd" variant="body2" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
              <FieldValue name={names.at(-1) ?? ''} value={value} />
            </Typography>
          </Box>
        ))}
      </Box>
    </Box>
  ))
}

/** A field in words, by its name in the API where a newer service has one that this console does not know. */
function FieldName({ names }: { names: readonly string[] }) {
  const labels = useTexts(fieldLabels)
  return names.map((name, i) => (
    <Box component="span" key={name} title={name}>
      {i > 0 && ' · '}
      {Object.hasOwn(labels, name) ? (labels as Readonly<Record<string, string>>)[name] : <code>{name}</code>}
    </Box>
  ))
}
