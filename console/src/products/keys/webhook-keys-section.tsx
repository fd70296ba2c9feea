import { Box, Typography } from '@mui/material'
import { adminPath } from '../../api/admin-http.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { Section } from '../../kit/show/section.tsx'
import type { ProductDetails } from '../product.ts'
import { KeyTable } from './key-table.tsx'
import { keyTexts } from './texts.ts'

/** The part of webhook addresses that identifies the product. */
export function WebhookKeysSection({ product: { id, webhook_keys } }: { product: ProductDetails }) {
  const texts = useTexts(keyTexts)
  const mayChange = useMay('product-keys:write')
  return (
    <Section title={texts.webhook}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {texts.webhookAbout}
      </Typography>
      <KeyTable label={texts.webhook} keys={webhook_keys} />
      {mayChange && (
        <Box sx={{ mt: 2 }}>
          <ActionButton
            label={texts.rotateWebhook}
            tone="danger"
            request={{ path: adminPath('products', id, 'rotate-webhook-key') }}
            explains={texts.rotateWebhookExplains}
          />
        </Box>
      )}
    </Section>
  )
}
