// The types of Bottleneck's light build: those of the package, which declares only its main build.
declare module 'bottleneck/light.js' {
  import Bottleneck from 'bottleneck';
  export default Bottleneck;
}
