import { Box, Radio, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { hidden } from '../../kit/show/values.tsx'
import { labelOf } from '../../payments/label-of.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import { type Gateway, type Method, methods } from '../product.ts'
import { gatewayTexts } from './texts.ts'

/** The gateway of each method; empty for none. */
export type Chosen = Record<Method, Gateway>

interface MatrixProps {
  chosen: Chosen
  gateways: readonly Gateway[]
  /** Without it the table is to be read. */
  onChoose?: (method: Method, gateway: Gateway) => void
}

/** Payment methods down, gateways across, one choice a row. */
export function MatrixTable({ chosen, gateways, onChoose }: MatrixProps) {
  const texts = useTexts(gatewayTexts)
  const { sources, methods: names } = useTexts(paymentTexts)
  const nameOf = (gateway: Gateway) => (gateway === '' ? texts.nobody : labelOf(sources, gateway))
  const columns = [...gateways, '']
  return (
    <Table size="small" sx={{ maxWidth: 720, '& td, & th': { textAlign: 'center', px: 0.5 }, '& th:first-of-type': { textAlign: 'left' } }}>
      <Box component="caption" sx={hidden}>
        {texts.matrix}
      </Box>
      <TableHead>
        <TableRow>
          <TableCell>{texts.method}</TableCell>
          {columns.map((gateway) => (
            <TableCell key={gateway} sx={{ whiteSpace: 'normal', overflowWrap: 'normal', fontSize: { xs: '0.75rem', sm: '0.875rem' } }}>
              {nameOf(gateway)}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {methods.map((method) => (
          <TableRow key={method}>
            <TableCell component="th" scope="row">
              {names[method]}
            </TableCell>
            {columns.map((gateway) => (
              <TableCell key={gateway}>
                <Radio
                  size="small"
                  name={`matrix-${method}`}
                  value={gateway}
                  checked={chosen[method] === gateway}
                  disabled={!onChoose}
                  onChange={() => onChoose?.(method, gateway)}
                  slotProps={{ input: { 'aria-label': texts.cell(names[method], nameOf(gateway)) } }}
                />
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
