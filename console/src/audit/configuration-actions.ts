import { defineTexts } from '../i18n/use-texts.ts'

/** Actions on plans, on files of settings and on the master key. */
export const configurationActions = defineTexts({
  'pt-BR': {
    'configuration.apply': 'Arquivo de configurações aplicado',
    'master_key.rotate': 'Chave mestra trocada',
    'plan.set': 'Plano criado ou alterado',
  },
  en: {
    'configuration.apply': 'File of settings applied',
    'master_key.rotate': 'Master key rotated',
    'plan.set': 'Plan made or changed',
  },
  es: {
    'configuration.apply': 'Archivo de configuración aplicado',
    'master_key.rotate': 'Llave maestra cambiada',
    'plan.set': 'Plan creado o cambiado',
  },
})
