import { Typography } from '@mui/material'
import { useState } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { Section } from '../../kit/show/section.tsx'
import type { ProductDetails } from '../product.ts'
import { Choice } from './choice.tsx'
import { doorTexts } from './door-texts.ts'
import { SECRET_PLACEHOLDER, SnippetLines, useSnippets } from './snippet-lines.tsx'

/** The lines to paste, for each app and proxy that the product is set up for. */
export function SnippetsSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(doorTexts)
  const { data } = useSnippets(product)
  const [chosen, setChosen] = useState<string>()
  const snippets = data?.data ?? []
  const snippet = snippets.find(({ kind }) => kind === chosen) ?? snippets[0]
  if (!snippet) return undefined
  const hasSecret = JSON.stringify(snippet).includes(SECRET_PLACEHOLDER)
  return (
    <Section title={texts.lines}>
      <Choice
        label={texts.linesFor}
        value={snippet.kind}
        values={snippets.map(({ kind }) => kind)}
        names={texts.apps}
        onChoose={setChosen}
      />
      {hasSecret && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {texts.linesAbout(SECRET_PLACEHOLDER)}
        </Typography>
      )}
      <SnippetLines snippet={snippet} />
    </Section>
  )
}
