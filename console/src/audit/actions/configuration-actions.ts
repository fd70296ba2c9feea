import { defineTexts } from '../../i18n/use-texts.ts'

/** Actions on plans, on the look of pages, on files of settings, on the database and on the master key. */
export const configurationActions = defineTexts({
  'pt-BR': {
    'appearance.add_image': 'Imagem guardada',
    'appearance.change': 'Aparência alterada',
    'configuration.apply': 'Arquivo de configurações aplicado',
    'database.copy': 'Banco de dados copiado',
    'database.copy_give_up': 'Cópia do banco de dados desfeita',
    'database.restore': 'Banco de dados restaurado',
    'list.export': 'Lista exportada',
    'master_key.rotate': 'Chave mestra trocada',
    'plan.set': 'Plano criado ou alterado',
    'settings.set_time_zone': 'Fuso horário dos relatórios alterado',
  },
  en: {
    'appearance.add_image': 'Image stored',
    'appearance.change': 'Appearance changed',
    'configuration.apply': 'Settings file applied',
    'database.copy': 'Database copied',
    'database.copy_give_up': 'Database copy abandoned',
    'database.restore': 'Database restored',
    'list.export': 'List exported',
    'master_key.rotate': 'Master key rotated',
    'plan.set': 'Plan created or changed',
    'settings.set_time_zone': 'Report time zone changed',
  },
  es: {
    'appearance.add_image': 'Imagen guardada',
    'appearance.change': 'Apariencia cambiada',
    'configuration.apply': 'Archivo de configuración aplicado',
    'database.copy': 'Base de datos copiada',
    'database.copy_give_up': 'Copia de la base de datos deshecha',
    'database.restore': 'Base de datos restaurada',
    'list.export': 'Lista exportada',
    'master_key.rotate': 'Clave maestra cambiada',
    'plan.set': 'Plan creado o cambiado',
    'settings.set_time_zone': 'Zona horaria de los informes cambiada',
  },
})
