export declare const home: string;
export declare function refreshWeb(): void;
export declare function buildWeb(): void;
