import { Box, Typography } from '@mui/material'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { CopyText } from '../../kit/show/copy-text.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { useRead } from '../../kit/use-read.ts'
import type { AppKind } from './app-kinds.ts'
import { CodeLines } from './code-lines.tsx'
import { doorTexts } from './door-texts.ts'

/** Stands for an API key in the service's lines. */
export const SECRET_PLACEHOLDER = 'sk_…'

/** The lines that connect an app of one kind, as the service has them. */
export interface Snippet {
  kind: AppKind
  values: Array<{ name: string; value: string }>
  files: Array<{ name: string; lines: string }>
}

/** The lines of all kinds that the product is set up for. */
export function useSnippets({ id }: { id: string }) {
  return useRead<{ data: Snippet[] }>(adminPath('products', id, 'snippets'))
}

/** Lines for files and values for a settings page, each to copy. `apiKey`: one that was made just now. */
export function SnippetLines({ snippet, apiKey }: { snippet: Snippet; apiKey?: string | undefined }) {
  const filled = (text: string) => (apiKey === undefined ? text : text.replaceAll(SECRET_PLACEHOLDER, apiKey))
  const { values, files } = snippet
  return (
    <>
      {values.length > 0 && (
        <Box sx={{ my: 1.5 }}>
          <Facts facts={values.map(({ name, value }) => [name, <CopyText key={name} text={filled(value)} label={name} />])} />
        </Box>
      )}
      {files.map(({ name, lines }) => (
        <CodeLines key={name} text={filled(lines)} label={name} />
      ))}
    </>
  )
}

/** The lines of a product that was just made. */
export function MadeLines({ made, kind }: { made: { id: string; api_key: string }; kind: AppKind }) {
  const texts = useTexts(doorTexts)
  const { data, isError } = useSnippets(made)
  const snippet = data?.data.find((one) => one.kind === kind)
  if (snippet) return <SnippetLines snippet={snippet} apiKey={made.api_key} />
  return <Typography role="status">{isError ? texts.missing : texts.loading}</Typography>
}
