import { Box, Button, FormHelperText, Stack, Typography } from '@mui/material'
import { useId, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { useFaultSentence } from '../kit/use-fault-sentence.ts'
import { MAX_IMAGE_BYTES, type StoredImage } from './appearance.ts'
import { appearanceTexts } from './texts.ts'
import { useAddImage } from './use-add-image.ts'

interface ImageInputProps {
  label: string
  help: string
  /** The image's id; empty for none. */
  id: string
  /** The picture that users see today. */
  shownUrl: string | null
  /** Whether `id` is what is stored, so that `shownUrl` is its address. */
  isStored: boolean
  error: string | undefined
  mayEdit: boolean
  /** `added`: it was just stored. */
  onChange: (id: string, added?: StoredImage) => void
}

/** A logo or an icon: stored as soon as it is chosen, shown to users once the look is saved. */
export function ImageInput({ label, help, id, shownUrl, isStored, error, mayEdit, onChange }: ImageInputProps) {
  const texts = useTexts(appearanceTexts)
  const translate = useTranslate()
  const { add, added, fault, isBusy } = useUpload(onChange)
  const file = useRef<HTMLInputElement>(null)
  const labelId = useId()
  const problem = fault ?? (error === undefined ? undefined : translate(error))
  const url = id === '' ? undefined : added?.id === id ? added.url : isStored ? shownUrl : undefined
  return (
    <Box role="group" aria-labelledby={labelId} sx={{ mt: 1.5 }}>
      <Typography id={labelId} variant="body2" sx={{ fontWeight: 600 }}>
        {label}
      </Typography>
      <Stack direction="row" spacing={1.5} useFlexGap sx={{ mt: 0.5, alignItems: 'center', flexWrap: 'wrap' }}>
        {url ? <Thumbnail url={url} label={label} /> : <Typography color="textSecondary">{texts.noImage}</Typography>}
        {mayEdit && (
          <Button size="small" variant="outlined" disabled={isBusy} onClick={() => file.current?.click()}>
            {texts.choose(label)}
          </Button>
        )}
        {mayEdit && id !== '' && (
          <Button size="small" color="inherit" onClick={() => onChange('')}>
            {texts.remove(label)}
          </Button>
        )}
        <input
          ref={file}
          type="file"
          hidden
          accept="image/svg+xml,image/png"
          aria-label={label}
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            // The same file may be chosen again after it was changed.
            target.value = ''
            if (chosen) void add(chosen)
          }}
        />
      </Stack>
      <FormHelperText error={problem !== undefined} role={problem === undefined ? undefined : 'alert'}>
        {problem ?? help}
      </FormHelperText>
    </Box>
  )
}

/** On white: the ground of most logos. */
function Thumbnail({ url, label }: { url: string; label: string }) {
  const path = new URL(url, window.location.href).pathname
  return (
    <Box
      component="img"
      src={path}
      alt={label}
      sx={{
        height: 40,
        maxWidth: 180,
        objectFit: 'contain',
        p: 0.5,
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: '#fff',
      }}
    />
  )
}

function useUpload(onChange: ImageInputProps['onChange']) {
  const translate = useTranslate()
  const sentenceOf = useFaultSentence()
  const addImage = useAddImage()
  const [added, setAdded] = useState<StoredImage>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const add = async (chosen: File) => {
    setFault(undefined)
    if (chosen.size > MAX_IMAGE_BYTES) return setFault(translate('field.image_too_large'))
    setBusy(true)
    try {
      const image = await addImage(chosen)
      setAdded(image)
      onChange(image.id, image)
    } catch (error) {
      setFault(sentenceOf(error, ({ body }) => body.errors.content))
    } finally {
      setBusy(false)
    }
  }
  return { add, added, fault, isBusy }
}
