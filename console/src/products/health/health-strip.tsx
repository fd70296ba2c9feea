import { Box, ButtonBase } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { StatusChip } from '../../kit/show/status-chip.tsx'
import { useTimeText } from '../../kit/show/values.tsx'
import { useRead } from '../../kit/use-read.ts'
import { labelOf } from '../../payments/label-of.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import type { ProductDetails } from '../product.ts'
import { type Around, healthOf, type ProductTab } from './health.ts'
import { healthTexts } from './health-texts.ts'

/** The health of a product at a glance. Each sentence leads to the tab that it is about. */
export function HealthStrip({ product, onOpen }: { product: ProductDetails; onOpen: (tab: ProductTab) => void }) {
  const texts = useTexts(healthTexts)
  const { sources } = useTexts(paymentTexts)
  const timeText = useTimeText()
  const said = healthOf(product, useAround(product), Date.now())
  return (
    <Box component="ul" aria-label={texts.health} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, mb: 2, p: 0, listStyle: 'none' }}>
      {said.map(({ tab, kind, tone, values: { at, count = 0, gateways = [] } }) => (
        <li key={tab}>
          <ButtonBase onClick={() => onOpen(tab)} sx={{ borderRadius: 4, '& .MuiChip-root': { cursor: 'pointer' } }}>
            <StatusChip
              tone={tone}
              label={texts.kinds[kind]({
                at: at === undefined ? '' : timeText(at),
                count,
                gateways: gateways.map((gateway) => labelOf(sources, gateway)).join(', '),
              })}
            />
          </ButtonBase>
        </li>
      ))}
    </Box>
  )
}

/** Reads the facts about a product besides its own record. Lists come in pages: the worst stands on the first one. */
function useAround({ id, slug }: ProductDetails): Around {
  const endpoints = useRead<{ data: NonNullable<Around['endpoints']> }>(`endpoints?${new URLSearchParams({ product: slug, limit: '100' })}`)
  const sessions = useRead<{ data: Array<{ created_at: string }> }>(`sessions?${new URLSearchParams({ product_id: id, limit: '1' })}`)
  return { endpoints: endpoints.data?.data, lastSignInAt: sessions.data && (sessions.data.data[0]?.created_at ?? null) }
}
