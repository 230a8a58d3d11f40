/** A plugin that jobs may name. */
export class PluginDto {
  name: string;
  description: string;
}
